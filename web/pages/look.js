// The page that shows a training step pass by pass.
import { load } from '../package/glnn.js';
import { choice, find, html, number, sentenceOf, tell } from './elements.js';
import { Inspector, networks } from './inspector.js';
import { explain, isOn, nameOf, outputsOf, sizeOf, splitText } from './passes.js';
import { Sheet } from './sheet.js';

const gap = 26, leastRoom = 250; // of pictures, in CSS pixels
const mostCounted = 1 << 22; // elements of an operand; counts of a larger one would take too much memory

/** What the page shows. `written` are the sheets of the matrices that the pass writes, which have the
 * same size and layout, and `output` is the one in which an element is chosen. */
export const view = { inspector: null, number: 0, pass: null, text: '', sheets: [], written: [], output: null,
  element: null, block: null, value: null, isCounting: false };

async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    if (!view.inspector?.isLost)
      tell(sentenceOf(error), true);
  }
}

// ---- The matrices of a pass

// Metrics have a row for each sample of the largest batch, and this batch uses the first ones.
const rowsOf = matrix => matrix.getName() === 'metrics' ? Math.min(view.inspector.settings.batch, matrix.rows) : matrix.rows;

// An output before the pass, if the shader reads it, and after it.
function sheetsOfOutput({ name, matrix, former, isWritten }, text) {
  const shown = name === 'OUTPUT' ? 'output' : name, isRead = former && (isWritten || isOn(text, `HAS_${name}`));
  return [...isRead ? [new Sheet(former, `${shown}, before`, -1, 'other', rowsOf(former))] : [],
    ...isWritten ? [new Sheet(matrix, former ? `${shown}, after` : shown, -1, 'written', rowsOf(matrix))] : []];
}

const sheetsOf = (pass, text) => [
  ...pass.operands.flatMap((matrix, i) => matrix ? [new Sheet(matrix, pass.operandNames[i], i, 'operand')] : []),
  ...outputsOf(pass).flatMap(output => sheetsOfOutput(output, text))];

// The pictures share a row if they do not become too small.
function placeSheets() {
  const room = find('sheets').clientWidth - 2; // without a border
  const across = Math.max(1, Math.min(view.sheets.length, Math.floor((room + gap) / (leastRoom + gap))));
  view.sheets.forEach(sheet => sheet.place((room - gap * (across - 1)) / across));
}

function leavePass() {
  view.sheets.forEach(sheet => sheet.matrixOfCounts?.destroy());
  Object.assign(view, { sheets: [], written: [], output: null, element: null, block: null, value: null });
}

function enterPass() {
  const { context, inspection, layers } = view.inspector;
  leavePass();
  view.pass = inspection.getPass(view.number);
  view.text = inspection.getShader(view.number);
  view.sheets = sheetsOf(view.pass, view.text);
  view.written = view.sheets.filter(({ kind }) => kind === 'written');
  [view.output] = view.written;
  find('sheets').replaceChildren(...view.sheets.map(({ figure }) => figure));
  view.written.forEach(sheet => sheet.listen(element => attempt(() => choose(element, sheet))));
  view.sheets.forEach(sheet => sheet.draw(context));
  placeSheets();
  find('pass-title').textContent = nameOf(view.pass, layers);
  find('explanation').textContent = explain(view.pass, view.text);
  showElement();
  showText();
}

// ---- Elements and their fetches

const same = (a, b) => a && b && a.row === b.row && a.column === b.column;

async function choose(element, sheet) {
  if (same(element, view.element) && sheet === view.output)
    return;
  const block = view.inspector.inspection.getBlock(view.number, element.row, element.column);
  Object.assign(view, { output: sheet, element, block });
  view.written.forEach(written => {
    Object.assign(written, { element, block });
    written.mark();
  });
  view.value = null;
  showElement();
  if (!view.isCounting)
    await countLatest();
}

// Counts for the element that was chosen last. While counts are read, others may be chosen.
async function countLatest() {
  view.isCounting = true;
  try {
    for (let counted = null; view.element && view.element !== counted;) {
      counted = view.element;
      await count(counted);
    }
  } finally {
    view.isCounting = false;
  }
}

async function count({ row, column }) {
  const { inspector: { inspection, context }, number: pass, sheets, output, element } = view;
  const reads = sheets.filter(sheet => sheet.operand >= 0 && sheet.rows * sheet.columns <= mostCounted).map(sheet => {
    sheet.matrixOfCounts ??= context.matrix({ rows: sheet.rows, columns: sheet.columns, layout: 'packed', name: 'fetches' });
    inspection.findFetches(pass, row, column, sheet.operand, sheet.matrixOfCounts);
    return sheet.matrixOfCounts.downloadAsync();
  });
  const [[value], ...counts] = await Promise.all(
    [output.matrix.downloadAsync({ row, column, rows: 1, columns: 1 }), ...reads]);
  if (view.element !== element)
    return;
  view.value = value;
  sheets.filter(sheet => sheet.matrixOfCounts).forEach((sheet, i) => showCounts(sheet, counts[i]));
  showElement();
}

function showCounts(sheet, counts) {
  sheet.counts = counts;
  sheet.mark();
  const fetched = counts.filter(fetches => fetches > 0), most = fetched.reduce((a, b) => Math.max(a, b), 0);
  sheet.note.textContent = !fetched.length ? 'nothing fetched'
    : `${fetched.length.toLocaleString('en')} ${plural('element', fetched.length)} fetched${most > 1 ? `, up to ${most} times` : ''}`;
}

const range = (first, count) => count === 1 ? `${first}` : `${first} to ${first + count - 1}`;
const plural = (word, count) => count === 1 ? word : `${word}s`;

function showElement() {
  const { element, block, value, text } = view, computer = /\bgl_PointSize\b/.test(text) ? 'point' : 'fragment';
  find('element').textContent = !element ? '' :
    `Row ${element.row}, column ${element.column}: ${value === null ? 'being read' : Number(value.toPrecision(6))}. ` +
    `One ${computer} computed ${plural('row', block.rows)} ${range(block.row, block.rows)}, ` +
    `${plural('column', block.columns)} ${range(block.column, block.columns)}.`;
}

// ---- Text

function highlighted(text) {
  return text.split('\n').flatMap(line => {
    const at = line.indexOf('//');
    return at < 0 ? [`${line}\n`] : [line.slice(0, at), html('span', { class: 'comment' }, `${line.slice(at)}\n`)];
  });
}

function showText() {
  find('text').replaceChildren(...splitText(view.text, view.pass).map(({ name, text }, i) =>
    html('details', { open: i === 0 }, html('summary', {}, name),
      html('pre', { tabindex: 0, 'aria-label': name }, ...highlighted(text)))));
}

async function copyText() {
  await navigator.clipboard.writeText(view.text);
  tell('The text of the shader was copied.');
}

// ---- The list of passes

function entry(inspection, i, layers) {
  const pass = inspection.getPass(i);
  return html('li', {}, html('button', { onclick: () => go(i) }, html('span', { class: 'number' }, i + 1),
    nameOf(pass, layers), html('small', {}, `${pass.kernel}, ${sizeOf(pass)}`)));
}

function showPasses() {
  const { inspection, layers } = view.inspector;
  find('passes').replaceChildren(...Array.from({ length: inspection.getPassCount() }, (_, i) => entry(inspection, i, layers)));
}

function showPlace() {
  const buttons = find('passes').querySelectorAll('button');
  buttons.forEach((button, i) => i === view.number ? button.setAttribute('aria-current', 'step')
    : button.removeAttribute('aria-current'));
  const list = find('passes'), { offsetTop, offsetHeight } = buttons[view.number];
  list.scrollTop = offsetTop - list.offsetTop - (list.clientHeight - offsetHeight) / 2;
  find('place').textContent = `${view.number + 1} of ${buttons.length}`;
  find('back').disabled = view.number === 0;
  find('forward').disabled = view.number === buttons.length - 1;
}

function go(to) {
  return attempt(() => {
    const { inspection } = view.inspector;
    if (!inspection || to < 0 || to >= inspection.getPassCount())
      return;
    view.number = to;
    showPlace();
    enterPass();
  });
}

// ---- Steps

function showStep() {
  const { inspection, steps } = view.inspector;
  tell(`Step ${steps} has ${inspection.getPassCount()} passes.`);
  for (const id of ['pass', 'shader'])
    find(id).hidden = false;
  view.number = Math.min(view.number, inspection.getPassCount() - 1);
  showPasses();
  return go(view.number);
}

function hideStep() {
  leavePass();
  for (const id of ['pass', 'shader'])
    find(id).hidden = true;
  find('passes').replaceChildren();
}

const takeStep = () => attempt(async () => {
  const hasFocus = document.activeElement === find('step');
  find('step').disabled = true;
  try {
    leavePass();
    if (await view.inspector.step())
      await showStep();
  } finally {
    find('step').disabled = view.inspector.isLost;
    if (hasFocus)
      find('step').focus({ preventScroll: true });
  }
});

const restart = () => attempt(() => {
  hideStep();
  view.inspector.reset();
  return takeStep();
});

// ---- Settings and keys

function showSettings() {
  const { settings } = view.inspector;
  const set = name => value => {
    settings[name] = value;
    restart();
  };
  const names = Object.fromEntries(Object.entries(networks).map(([key, { name }]) => [key, name]));
  find('settings').replaceChildren(
    choice('network', names, settings.network, network => {
      view.number = 0;
      set('network')(network);
    }),
    choice('layout', { tiled: 'tiled', packed: 'packed', unpacked: 'unpacked' }, settings.layout, set('layout')),
    number('batch', settings.batch, { min: 1, max: 256 }, set('batch')));
}

function onKey(event) {
  const isList = find('passes').contains(event.target);
  const moves = { ArrowLeft: -1, ArrowRight: 1, ...isList && { ArrowUp: -1, ArrowDown: 1 } };
  const move = moves[event.key];
  if (!move || event.target.closest('input, select, pre') || event.ctrlKey || event.metaKey || event.altKey)
    return;
  event.preventDefault();
  go(view.number + move);
  if (isList)
    find('passes').querySelector('[aria-current]').focus({ preventScroll: true });
}

function listen() {
  find('step').addEventListener('click', takeStep);
  find('back').addEventListener('click', () => go(view.number - 1));
  find('forward').addEventListener('click', () => go(view.number + 1));
  find('copy').addEventListener('click', () => attempt(copyText));
  addEventListener('keydown', onKey);
  new ResizeObserver(placeSheets).observe(find('sheets'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', placeSheets);
}

await attempt(async () => {
  const library = await load({ log: line => console.debug(line) });
  view.inspector = new Inspector(library, {
    lost: () => {
      hideStep();
      find('step').disabled = true;
      tell('The browser has taken the GPU away. Training begins anew when the GPU is back.');
    },
    restored: restart,
    compiles: progress => progress < 1 && tell(`Shaders are being compiled: ${Math.round(100 * progress)} %.`),
  });
  listen();
  showSettings();
  await restart();
});
