// Short ways to elements of the page.

export const find = id => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on'))
      element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== undefined)
      element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children);
  return element;
}

export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

/** A field to tick. */
export function tick(label, checked, onChange) {
  return html('label', { class: 'tick' },
    html('input', { type: 'checkbox', checked, disabled: !onChange,
      onchange: event => onChange(event.target.checked) }), label);
}

/** A field to choose one of some names. */
export function choice(label, names, chosen, onChange) {
  return html('label', {}, html('span', {}, label),
    html('select', { onchange: event => onChange(event.target.value) },
      ...Object.entries(names).map(([value, text]) =>
        html('option', { value, selected: value === chosen }, text))));
}

export function number(label, value, { min, max, step = 1 }, onChange) {
  const take = ({ target }) => {
    if (target.value === '' || !target.checkValidity()) {
      tell(`${label}: ${target.validationMessage || 'This is no number.'}`, true);
      target.value = value;
    } else {
      value = Number(target.value);
      onChange(value);
    }
  };
  return html('label', {}, html('span', {}, label),
    html('input', { type: 'number', value, min, max, step, onchange: take }));
}

// The files of something that was dropped. Those in folders have paths.
async function filesIn(entry) {
  if (entry.isFile)
    return [withPath(await new Promise((done, fail) => entry.file(done, fail)), entry.fullPath.slice(1))];
  const reader = entry.createReader(), files = [];
  const readSome = () => new Promise((done, fail) => reader.readEntries(done, fail));
  for (let some = await readSome(); some.length > 0; some = await readSome())
    files.push(...(await Promise.all(some.map(filesIn))).flat());
  return files;
}

const withPath = (file, path) => Object.assign(file, { path });

async function dropped({ items, files }) {
  const all = [...files]; // the browser empties the list soon
  const entries = [...items].filter(({ kind }) => kind === 'file').map(item => item.webkitGetAsEntry());
  return entries.every(Boolean) ? (await Promise.all(entries.map(filesIn))).flat()
    : all.map(file => withPath(file, file.name)); // those that a script has made are in no folder
}

/** Reads files that are chosen by fields or dropped anywhere in the page, each with its path. */
export function receiveFiles(inputs, receive) {
  for (const input of inputs)
    input.addEventListener('change', () => {
      if (input.files.length)
        receive([...input.files].map(file => withPath(file, file.webkitRelativePath || file.name)));
      input.value = '';
    });
  const isFiles = event => event.dataTransfer?.types.includes('Files');
  addEventListener('dragover', event => {
    if (!isFiles(event))
      return;
    event.preventDefault();
    document.body.classList.add('receives');
  });
  addEventListener('dragleave', event => {
    if (!event.relatedTarget)
      document.body.classList.remove('receives');
  });
  addEventListener('drop', event => {
    document.body.classList.remove('receives');
    if (!isFiles(event))
      return;
    event.preventDefault();
    dropped(event.dataTransfer).then(receive, error => tell(sentenceOf(error), true));
  });
}

/** Hands bytes to the user as a file. */
export function download(bytes, name) {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  html('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Shows a sentence: what goes on, or what failed. */
export function tell(sentence, isError = false) {
  const place = find('status');
  place.textContent = sentence;
  place.classList.toggle('error', isError);
}

/** The sentence of an error, with an end, and without names of functions and of folders in memory. */
export function sentenceOf({ message }) {
  const text = message.replace(/^glnn_\w+: /, '').replace(/^\/learner\.safetensors: /, 'The file: ')
    .replace(/^\//, '');
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
