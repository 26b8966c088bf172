// Pictures of weights, samples and activations, drawn from the textures of a network.
import { html } from './elements.js';

export const sampleCount = 12;

// The width of a picture of some numbers: nearly a square that all of them fill.
function widthOf(count) {
  for (let width = Math.ceil(Math.sqrt(count)); ; ++width)
    if (count % width === 0)
      return width;
}

// Gives a canvas the size of some pictures next to and below each other, each number a few pixels.
function size(canvas, [width, height], [across, down], gap) {
  const [wide, tall] = [across * (width + gap) - gap, down * (height + gap) - gap];
  const scale = Math.max(1, Math.floor(1000 / wide));
  Object.assign(canvas, { width: wide * scale, height: tall * scale });
}

/** Draws a row of pictures of some samples. */
export function drawSamples(context, samples, canvas, { height, width }) {
  size(canvas, [width, height], [sampleCount, 1], 2);
  context.draw(samples, canvas,
    { width, height, across: sampleCount, gap: 2, colours: 'grey', low: 0, high: 1 });
}

/** Draws the weights of the first layer that has some. */
export function drawWeights(context, network, canvas, shape) {
  const { layers: [first] } = network.getDesc();
  const tensor = network.getTensors()
    .find(({ role, name }) => role === 'parameter' && name.endsWith('weight'));
  const weights = network.getTensorMatrix(tensor.name);
  canvas.classList.toggle('single', !shape);
  if (first.kind === 'convolution')
    drawKernels(context, weights, canvas, first);
  else if (first.kind === 'dense' && shape) {
    const count = Math.min(first.units, 36), across = Math.min(count, 12);
    size(canvas, [shape.width, shape.height], [across, Math.ceil(count / across)], 2);
    context.draw(weights, canvas,
      { width: shape.width, height: shape.height, across, count, gap: 2, transposed: true });
  } else {
    size(canvas, [weights.columns, weights.rows], [1, 1], 0);
    context.draw(weights, canvas);
  }
}

// A tap of a kernel has a row for each channel, padded to a multiple of four. The pictures are
// those of the first channel.
function drawKernels(context, weights, canvas, { kernel: { height, width }, units }) {
  const taps = height * width, channels = (weights.rows - 1) / taps;
  const numbers = Float32Array.from({ length: taps }, (_, tap) => tap * channels);
  const index = context.matrix({ rows: taps, columns: 1, data: numbers });
  const chosen = context.matrix({ rows: taps, columns: weights.columns });
  context.gatherRows(weights, index, 0, taps, chosen);
  const across = Math.min(units, 12);
  size(canvas, [width, height], [across, Math.ceil(units / across)], 1);
  context.draw(chosen, canvas, { width, height, across, count: units, gap: 1, transposed: true });
  index.destroy();
  chosen.destroy();
}

const heat = [[0, 0, 0], [0.85, 0.25, 0], [1, 1, 0.8]];

/** Draws what hidden layers gave for the samples that the network computed last. */
export function drawActivations(context, network, container) {
  const { layers, layerCount } = network.getDesc();
  const shown = layers.slice(0, layerCount - 1).map(({ kind }, i) => ({ kind, i }))
    .filter(({ kind }) => !['flatten', 'dropout'].includes(kind));
  if (container.childElementCount !== shown.length)
    container.replaceChildren(...shown.map(() => html('figure', {}, html('figcaption'),
      html('canvas', { class: 'picture', role: 'img' }))));
  shown.forEach(({ kind, i }, at) => {
    const [caption, canvas] = container.children[at].children;
    const shape = network.getShape(i), numbers = network.getActivationMatrix(i);
    const isImage = shape.height * shape.width > 1;
    caption.textContent = isImage
      ? `Layer ${at + 1}, ${kind.replace('_', ' ')}: the channels of the first sample`
      : `Layer ${at + 1}, ${kind}: the ${shape.channels} units, for each sample`;
    canvas.setAttribute('aria-label', caption.textContent);
    if (isImage)
      drawChannels(context, numbers, canvas, shape);
    else
      drawUnits(context, numbers, canvas, shape.channels);
  });
}

// Channels are columns, in which the pixels of the first sample come first.
function drawChannels(context, numbers, canvas, { channels, height, width }) {
  const across = Math.min(channels, sampleCount);
  size(canvas, [width, height], [across, Math.ceil(channels / across)], 1);
  context.draw(numbers, canvas,
    { width, height, across, count: channels, gap: 1, transposed: true, colours: heat });
}

function drawUnits(context, numbers, canvas, units) {
  const width = widthOf(units), height = units / width;
  size(canvas, [width, height], [sampleCount, 1], 1);
  context.draw(numbers, canvas,
    { width, height, across: sampleCount, count: sampleCount, gap: 1, colours: heat });
}
