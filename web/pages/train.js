// The page that trains a network on files of the user, or on generated digits.
import { load } from '../package/glnn.js';
import { Chart } from './chart.js';
import { readPictures } from './data.js';
import { showNetwork, kinds } from './diagram.js';
import { generatedDigits } from './digits.js';
import { choice, download, find, html, number, receiveFiles, sentenceOf, tell, tick } from './elements.js';
import { drawActivations, drawSamples, drawWeights, sampleCount } from './pictures.js';
import { columnTitle, featureOf, fromTable, readTable, textOf } from './table.js';
import { Training } from './training.js';

const pictureEvery = 600; // milliseconds

export let training;
let samples, answers;
const charts = { loss: new Chart(find('loss'), { label: 'The loss by epoch', isLog: true }),
  quality: new Chart(find('quality'), { label: 'The share of right answers by epoch', percent: true }) };

// Does what the user wants, and shows a sentence if it fails.
async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    fail(error);
  }
}

function fail(error) {
  tell(sentenceOf(error), true);
}

// ---- Samples that are shown

function takeSamples() {
  const { context, data } = training, { inputs } = data.test;
  const count = Math.min(sampleCount, data.test.count);
  const numbers = Float32Array.from(inputs.subarray(0, count * data.features),
    value => inputs instanceof Uint8Array ? value / 255 : value);
  samples = context.matrix({ rows: count, columns: data.features, data: numbers });
  answers = context.matrix({ rows: count, columns: data.classNames?.length ?? 1 });
}

function greatest(numbers) {
  return numbers.indexOf(Math.max(...numbers));
}

// The label of a sample and the answer of the network, as texts.
function compare(outputs, i) {
  const { classNames, preparation: { targetScale }, test } = training.data;
  if (!classNames) {
    const undone = value => targetScale?.features ? training.library.scaleUndo(targetScale, [value])[0] : value;
    const text = value => Number(undone(value).toPrecision(4)).toString();
    return { label: text(test.targets[i]), answer: text(outputs[i]), isRight: null };
  }
  const count = classNames.length, answer = greatest(outputs.subarray(i * count, (i + 1) * count));
  return { label: classNames[test.labels[i]], answer: classNames[answer], isRight: answer === test.labels[i],
    share: outputs[i * count + answer] };
}

const markOf = ({ isRight }) => isRight === null ? '' : isRight ? 'right' : 'wrong';
const titleOf = ({ label, answer, isRight, share }) => isRight === null ? `${label}, answer ${answer}`
  : `label ${label}, answer ${answer} with ${Math.round(100 * share)} %${isRight ? '' : ', wrong'}`;

function showImages(results) {
  find('tests').lastChild.replaceChildren(...results.map(result =>
    html('span', { class: markOf(result), title: titleOf(result), 'aria-label': titleOf(result) },
      `${result.label} `, html('b', {}, result.answer))));
}

const shownColumns = 6;

function showRows(results) {
  const { preparation: { columns: { of = [], featureColumns } }, predicted = { title: 'label' }, test } = training.data;
  const columns = of.slice(0, Math.min(featureColumns, shownColumns));
  const cells = i => columns.map((column, j) => html('td', {}, textOf(column, test.values[i * featureColumns + j])));
  find('tests').replaceChildren(html('table', { class: 'rows' },
    html('tr', {}, html('th', {}, predicted.title), html('th', {}, 'answer'),
      ...columns.map(column => html('th', {}, columnTitle(column)))),
    ...results.map((result, i) => html('tr', { class: markOf(result), title: titleOf(result) },
      html('td', {}, result.label), html('td', {}, html('b', {}, result.answer)), ...cells(i)))));
}

// ---- Pictures

let isDrawing = false, isDue = false, drawnAt = 0;

// Shows weights, test samples and activations as they are now. While pictures of an earlier state
// are drawn, they are due again.
async function draw() {
  const { context, network, data } = training;
  isDue = isDrawing;
  if (isDrawing || !network || training.isLost || document.hidden)
    return;
  isDrawing = true;
  find('tests').setAttribute('aria-busy', 'true');
  try {
    network.predictMatrix(samples, answers);
    drawActivations(context, network, find('activations'));
    drawWeights(context, network, find('weights'), data.shape);
    if (data.shape?.channels === 1)
      drawSamples(context, samples, find('tests').firstChild, data.shape);
    const outputs = await answers.downloadAsync();
    const results = Array.from({ length: samples.rows }, (_, i) => compare(outputs, i));
    data.shape ? showImages(results) : showRows(results);
  } catch (error) {
    if (training.network === network && !training.isLost)
      fail(error);
  } finally {
    isDrawing = false;
    find('tests').setAttribute('aria-busy', isDue);
    drawnAt = performance.now();
    if (isDue)
      draw();
  }
}

function prepareSamples() {
  samples?.destroy();
  answers?.destroy();
  takeSamples();
  const { shape } = training.data;
  find('tests').replaceChildren(...shape ? [html('canvas', { class: 'picture', role: 'img',
    'aria-label': 'Test samples', style: 'max-width: 64rem' }), html('div', { class: 'samples' })] : []);
  find('activations').replaceChildren();
}

// ---- Numbers and curves

const percent = share => `${(100 * share).toFixed(2)} %`;

function showNumbers() {
  const { points, trainer, speed, passes, data } = training;
  const quality = value => data.classNames ? `${percent(value)} right` : `${percent(value)} explained`;
  const now = points.training.at(-1), test = points.test.at(-1);
  const rows = { epoch: now?.epoch.toFixed(2) ?? '0', steps: trainer.getResult().steps.toLocaleString('en'),
    loss: now?.loss.toPrecision(4) ?? '-', training: now ? quality(now.quality) : '-',
    test: test ? quality(test.quality) : '-',
    speed: speed ? `${Math.round(speed).toLocaleString('en')} samples/s` : '-',
    'a step has': passes ? `${passes} passes` : '-' };
  find('numbers').replaceChildren(...Object.entries(rows).flatMap(([name, value]) =>
    [html('dt', {}, name), html('dd', { 'data-name': name }, value)]));
}

function showCurves() {
  const { points } = training;
  for (const name of ['loss', 'quality'])
    charts[name].show(['training', 'test'].map(set =>
      [set, points[set].map(point => [point.epoch, point[name]])]));
}

let shownAt = 0;

function frame() {
  const now = performance.now();
  if (training.state === 'prepares')
    tell(`Shaders are being compiled: ${Math.round(100 * (training.progress ?? 0))} %.`);
  if (now - shownAt < 250)
    return;
  shownAt = now;
  showNumbers();
  showCurves();
  if (!isDrawing && now - drawnAt > pictureEvery)
    draw();
}

// ---- State

const sentences = { ready: 'Ready.', trains: 'Training.', prepares: 'Shaders are being compiled.',
  lost: 'The browser has taken the GPU away. Training goes on from its last snapshot when it is back.',
  empty: '' };

let shownNetwork = null;

function changed() {
  const { state, trainer, network } = training;
  const goes = state === 'trains' || state === 'prepares';
  find('start').textContent = goes ? 'Pause' : 'Start';
  for (const id of ['start', 'step', 'reset', 'save'])
    find(id).disabled = !trainer || state === 'lost';
  tell(state === 'ready' && trainer.getResult().steps ? 'Paused.' : sentences[state]);
  if (state === 'lost' || !trainer)
    return;
  if (network !== shownNetwork) {
    shownNetwork = network;
    prepareSamples();
    showDiagram();
    showSettings();
  }
  showNumbers();
  showCurves();
  if (!goes)
    draw();
}

// ---- Data

const counted = (count, one, many) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
const times = (count, ...words) => count ? `, ${counted(count, ...words)}` : '';
const dataText = ({ name, features, shape, classNames, training: learnt, test, missing, dropped, unknown }) =>
  `${name}: ${counted(learnt.count, 'sample', 'samples')} for training and ` +
  `${test.count.toLocaleString('en')} for the test, ` +
  (shape ? `pictures of ${shape.height} x ${shape.width}` : `${counted(features, 'number', 'numbers')} each`) +
  (classNames ? `, ${classNames.length} classes` : ', a number to predict') +
  times(missing, 'missing value', 'missing values') +
  times(unknown, 'category that the network does not know', 'categories that the network does not know') +
  times(dropped, 'row left out, which lacks a value', 'rows left out, which lack a value');

const firstLayers = data => [{ kind: 'dense', ...kinds.dense.fresh, units: data.shape ? 128 : 32 }];

// Makes a data set of other columns of the table. If that fails, the fields show the columns again.
async function chooseColumns(data, choices) {
  const chosen = await fromTable(training, data.table, choices).catch(error => {
    showData(data);
    throw error;
  });
  await use(chosen);
}

async function use(data) {
  const isNewShape = training.data?.features !== data.features || !training.layers.length;
  if (isNewShape) {
    training.layers = firstLayers(data);
    training.settings.batch = data.shape ? 128 : 32;
  }
  showData(data);
  await training.setData(data);
}

function showData(data) {
  find('data').textContent = dataText(data);
  find('quality-title').textContent =
    data.classNames ? 'classified right' : 'share of the variance explained';
  find('weights-hint').textContent = weightsText(data);
  find('table').hidden = !data.table;
  find('table').replaceChildren(...data.table ? columnFields(data) : []);
}

const mostNames = 40;

// Which weights a picture shows. Of a table they have a row for each input.
function weightsText({ table, preparation: { columns, components } }) {
  const names = table && !components && columns.features <= mostNames
    ? Array.from({ length: columns.features }, (_, j) => training.library.csvColumnsNameFeature(columns, j)) : [];
  return 'Red weights excite a unit, blue ones inhibit it.' +
    (names.length ? ` Each column is a unit; its rows are ${names.join(', ')} and the bias.` : '');
}

// What a column is, and how many inputs of the network it makes.
const columnText = ({ title, content }, feature) =>
  `${title}: ${content}${feature?.features > 1 ? `, ${feature.features} inputs` : ''}`;

// Fields to choose what is predicted, and from which columns.
function columnFields(data) {
  const { table: { columns }, predicted } = data, others = columns.filter(column => column !== predicted);
  const leftOut = others.filter(column => !featureOf(data, column));
  const choose = choices => attempt(() => chooseColumns(data, { predicted, leftOut, ...choices }));
  const leave = column => isUsed =>
    choose({ leftOut: isUsed ? leftOut.filter(other => other !== column) : [...leftOut, column] });
  const ticks = others.map(column => tick(columnText(column, featureOf(data, column)), !leftOut.includes(column),
    column.isUsable && leave(column)));
  const titles = Object.fromEntries(columns.map(({ title }, i) => [i, title]));
  return [choice('predicts', titles, String(columns.indexOf(predicted)), i => choose({ predicted: columns[i] })),
    html('fieldset', {}, html('legend', {}, 'learns from'), ...ticks)];
}

function receive(files) {
  return attempt(async () => {
    tell('The files are being read.');
    const models = files.filter(({ name }) => name.endsWith('.safetensors'));
    if (models.length)
      await loadNetwork(models[0]);
    else
      await use(await readPictures(files, training.library) ??
        await fromTable(training, await readTable(training.library, files[0])));
  });
}

// ---- Network

async function rebuild(layers) {
  training.layers = layers;
  shownNetwork = null;
  await attempt(() => training.reset());
  if (!training.network)
    showDiagram();
}

function showDiagram() {
  const { layers } = training;
  showOffers();
  showNetwork(find('network'), training, {
    change: (i, layer) => rebuild(layers.with(i, layer)),
    remove: i => rebuild(layers.toSpliced(i, 1)) });
}

// Where a new layer comes: layers of images before dense ones.
function placeFor(kind) {
  const { layers } = training, dense = layers.findIndex(other => other.kind === 'dense');
  return kinds[kind].isOfImages && dense >= 0 ? dense : layers.length;
}

// Whether there is an image at the place of a new layer that its window fits into.
function fits(kind) {
  const { network, data } = training, place = placeFor(kind), { isOfImages, fresh } = kinds[kind];
  if (!isOfImages)
    return true;
  const { height, width } = (place > 0 && data.shape && network?.getShape(place - 1)) || data.shape || { height: 0, width: 0 };
  return fresh.kernel <= Math.min(height, width);
}

const insert = kind => rebuild(training.layers.toSpliced(placeFor(kind), 0, { kind, ...kinds[kind].fresh }));

function showOffers() {
  Object.keys(kinds).forEach((kind, i) => find('add').children[i].hidden = !fits(kind));
}

async function loadNetwork(file) {
  await training.load(new Uint8Array(await file.arrayBuffer()), file.name);
  showData(training.data);
  tell(`${file.name} was loaded: ${percent(training.evaluate().quality)} of the test.`);
}

// ---- Settings

const optimizers = { sgd: 'momentum', nesterov: 'Nesterov', adam: 'Adam', rmsprop: 'RMSprop' };
const firstRates = { sgd: 0.05, nesterov: 0.05, adam: 0.003, rmsprop: 0.003 };

// A slider whose place is a logarithm.
function rateField() {
  const { rate } = training.settings, shown = html('output', {}, rate.toPrecision(2));
  return html('label', {}, html('span', {}, 'rate'), html('span', { class: 'range' },
    html('input', { id: 'rate', type: 'range', min: -4, max: 0, step: 0.05, value: Math.log10(rate),
      oninput: event => {
        const value = 10 ** Number(event.target.value);
        shown.textContent = value.toPrecision(2);
        attempt(() => training.setRate(value));
      } }), shown));
}

function showSettings() {
  const { settings } = training;
  find('settings').replaceChildren(
    rateField(),
    number('batch', settings.batch, { min: 1, max: 10000 }, batch => attempt(() => training.setBatch(batch))),
    choice('optimizer', optimizers, settings.optimizer, optimizer => {
      Object.assign(settings, { optimizer, rate: firstRates[optimizer] });
      rebuild(training.layers);
    }),
    number('ms a frame', settings.milliseconds, { min: 1, max: 200 }, async milliseconds => {
      const goesOn = training.state === 'trains';
      settings.milliseconds = milliseconds;
      await training.pause();
      if (goesOn)
        training.start();
    }));
}

// ---- Actions

const toggle = () => attempt(() => training.state === 'ready' ? training.start() : training.pause());
const step = () => attempt(() => training.step());
const reset = () => rebuild(training.layers);

function listen() {
  find('start').addEventListener('click', toggle);
  find('step').addEventListener('click', step);
  find('reset').addEventListener('click', reset);
  find('generated').addEventListener('click', () => attempt(() => use(generatedDigits())));
  find('save').addEventListener('click', () =>
    attempt(() => download(training.save(), 'network.safetensors')));
  find('load').addEventListener('change', async ({ target }) => {
    await attempt(() => loadNetwork(target.files[0]));
    target.value = '';
  });
  for (const [kind, { name }] of Object.entries(kinds))
    find('add').append(html('button', { onclick: () => insert(kind) }, `+ ${name}`));
  receiveFiles([find('files'), find('folder')], receive);
  addEventListener('keydown', event => {
    const action = { ' ': toggle, s: step, r: reset }[event.key];
    if (!action || event.target !== document.body || event.ctrlKey || event.metaKey || event.altKey)
      return;
    event.preventDefault();
    action();
  });
}

await attempt(async () => {
  training = new Training(await load({ log: line => console.debug(line) }), { changed, frame, failed: fail });
  listen();
  await use(generatedDigits());
});
