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

/** Reads files that are chosen by a field or dropped anywhere in the page. */
export function receiveFiles(input, receive) {
  input.addEventListener('change', () => {
    if (input.files.length)
      receive([...input.files]);
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
    receive([...event.dataTransfer.files]);
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

/** The sentence of an error, with an end, and without names of functions and of files in memory. */
export function sentenceOf({ message }) {
  const text = message.replace(/^glnn_\w+: /, '').replace(/^\/[\w.]+: /, 'The file: ');
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
