// The diagram of a network: a card for each layer, with its settings, shape and parameters.
import { choice, html, number } from './elements.js';

export const kinds = {
  dense: { name: 'Dense', fresh: { units: 64, activation: 'relu' } },
  convolution: { name: 'Convolution', isOfImages: true, fresh: { units: 8, kernel: 5, activation: 'relu' } },
  max_pool: { name: 'Max pooling', isOfImages: true, fresh: { kernel: 2 } },
  average_pool: { name: 'Average pooling', isOfImages: true, fresh: { kernel: 2 } },
  dropout: { name: 'Dropout', fresh: { rate: 0.5 } },
};

const activations = { relu: 'relu', leaky_relu: 'leaky relu', elu: 'elu', tanh: 'tanh',
  scaled_tanh: 'scaled tanh', sigmoid: 'sigmoid', softsign: 'softsign', identity: 'identity' };

const shapeText = ({ channels, height, width }) =>
  height * width === 1 ? `${channels} numbers` : `${channels} x ${height} x ${width}`;

// The number of parameters of each layer that the library has, from the tensors in its order.
function parametersOf(network, layers) {
  const sizes = network.getTensors().filter(({ role }) => role === 'parameter')
    .map(({ count }) => count);
  return layers.map(({ kind }) =>
    ['dense', 'convolution'].includes(kind) ? sizes.shift() + sizes.shift() : 0);
}

// Shapes and parameters of the layers of the page, and last of the output. The library also has
// layers that make images flat.
function figuresOf(network) {
  const { layers, layerCount } = network.getDesc(), all = layers.slice(0, layerCount);
  const parameters = parametersOf(network, all);
  return all.map(({ kind }, i) => ({ kind, shape: shapeText(network.getShape(i)),
    parameters: parameters[i] })).filter(({ kind }) => kind !== 'flatten');
}

function figureText(figure) {
  if (!figure)
    return '';
  const { shape, parameters } = figure;
  return shape + (parameters ? `, ${parameters.toLocaleString('en')} parameters` : '');
}

function fieldsOf({ kind, units, kernel, rate, activation }, set) {
  const unit = kind === 'dense' ? 'units' : 'channels';
  return [units && number(unit, units, { min: 1, max: 4096 }, set('units')),
    kernel && number('window', kernel, { min: 1, max: 64 }, set('kernel')),
    rate && number('share', rate, { min: 0.05, max: 0.95, step: 0.05 }, set('rate')),
    activation && choice('function', activations, activation, set('activation'))].filter(Boolean);
}

function card(layer, i, figure, { change, remove }) {
  const set = field => value => change(i, { ...layer, [field]: value });
  const { name } = kinds[layer.kind];
  return html('li', { 'aria-label': `Layer ${i + 1}: ${name}` },
    html('div', { class: 'name' }, name,
      html('button', { 'aria-label': `Remove layer ${i + 1}`, onclick: () => remove(i) }, '\u00d7')),
    ...fieldsOf(layer, set),
    html('div', { class: 'shape' }, figureText(figure)));
}

const end = (name, text) => html('li', { class: 'end' }, html('div', { class: 'name' }, name),
  html('div', { class: 'shape' }, text));

/** Shows a network, or layers of which the library makes none: `network` is null then. `actions`
 * has the functions change(i, layer) and remove(i). */
export function showNetwork(list, { layers, network, data }, actions) {
  const figures = network ? figuresOf(network) : [];
  list.replaceChildren(
    end('Input', data.shape ? shapeText(data.shape) : `${data.features} numbers`),
    ...layers.map((layer, i) => card(layer, i, figures[i], actions)),
    end(data.classNames ? 'Output, softmax' : 'Output', figureText(figures[layers.length])));
}
