// What passes do, in words for readers who know no shaders.

/** The value of a definition in the text of a shader. */
function definitionOf(text, name) {
  return new RegExp(`^#define ${name} \\(?(-?\\w+)\\)?$`, 'm').exec(text)?.[1];
}

// The name of the function of which the text has the number.
function mapOf(text, name) {
  const number = definitionOf(text, name);
  const found = number && new RegExp(`^#define GLNN_MAP_(\\w+) ${number}$`, 'm').exec(text)?.[1];
  return found && found !== 'IDENTITY' ? found.toLowerCase().replaceAll('_', ' ') : null;
}

const activationOf = text => mapOf(text, 'ACTIVATION') ?? mapOf(text, 'MAP');

const isOn = (text, name) => Number(definitionOf(text, name) ?? 0) !== 0;

const partial = text => isOn(text, 'PARTIAL')
  ? ' Each fragment adds up only a slice of the sum; the next pass adds the slices.' : '';

// A product by what it is for.
const products = {
  forward: (text, pass) => {
    const map = activationOf(text);
    const source = isOn(text, 'WINDOW') ? 'multiplies each window of the pictures' :
      pass.layer === 0 ? 'multiplies the samples' : 'multiplies the outputs of the layer before';
    return isOn(text, 'PARTIAL') ? `${source} by the weights.${partial(text)}`
      : `${source} by the weights, ${map ? `adds the bias (the last row of B) and applies ${map}` : 'and adds the bias (the last row of B)'}.`;
  },
  backward: (text, pass) => `carries the errors back: multiplies them by the transposed weights${
    pass.operandNames.includes('Y') ? ', and by the slope of the activation of the layer before' : ''}.${partial(text)}`,
  gradient: (text, pass) => 'multiplies the inputs by the errors, which tells in which direction each weight has to change' +
    (pass.epilogue ? ', and at once moves the weights that way.' : `.${partial(text)}`),
  'find winners': text => 'multiplies the samples by the prototypes, which gives the distances between all of them.' + partial(text),
};

const sentences = {
  'ops/gather': () => 'copies the samples of this batch, in their random order, out of the data set: one row each.',
  'ops/gemm': (text, pass) => (products[pass.part] ?? (() => 'multiplies two matrices.'))(text, pass),
  'ops/fold': (text, pass) => `adds up the partial sums of the pass before${
    activationOf(text) ? `, and applies ${activationOf(text)}` : ''}${
    pass.epilogue ? ', and moves the weights' : ''}.`,
  'ops/reduce': () => 'adds up the squares of each prototype, which the distances need.',
  'ops/nearest': () => 'finds, for each sample, the nearest prototype of its class and the nearest one of another class.',
  'ops/distances': () => 'computes the distances of the samples from their two prototypes.',
  'ops/scatter_add': () => 'moves the right prototypes towards the samples, and the wrong ones away.',
  'prototypes/moves': () => 'decides how far the two prototypes of each sample move, and counts right answers.',
  'net/delta': (text, pass) => writtenOf(pass, text).has('OUTPUT')
    ? 'turns the outputs into probabilities and compares them with the labels. The difference is the error of each output.'
    : 'adds up the loss and the right answers of the batch.',
  'optimize/apply': (text, pass) => writtenOf(pass, text).has('OUTPUT')
    ? 'moves the weights: by the gradient, and by a share of the former move (the momentum).'
    : 'computes how far each weight moves, and keeps it for the next step (the momentum).',
  'layers/convolution_flat': text => `moves small windows of weights over each picture, ${activationOf(text)
    ? `adds the bias and applies ${activationOf(text)}` : 'and adds the bias'}. A row of the output is a pixel, a column is a channel.`,
  'layers/convolution_flat_sums': () => 'multiplies windows of the pictures by the errors: pieces of the gradient of the weights.',
  'layers/pool': text => `keeps the greatest number of each window of ${definitionOf(text, 'KERNEL_HEIGHT')} x ${
    definitionOf(text, 'KERNEL_WIDTH')} pixels, so pictures become smaller.`,
  'layers/pool_backward': () => 'gives each error back to the pixel that was the greatest of its window.',
  'layers/to_flat': () => 'puts the channels of each picture next to each other in one row, as a dense layer reads them.',
  'layers/to_pixels': () => 'puts the errors of each row back in their places in pictures.',
};

/** The part of the step to which a pass belongs, such as "forward of layer 0 (dense)". */
export function placeOf({ part, layer }, layers) {
  return layer < 0 ? part : `${part} of layer ${layer}${layers?.[layer] ? ` (${layers[layer].replace('_', ' ')})` : ''}`;
}

/** The outputs that a pass writes: "OUTPUT", or names of side outputs. Where a fragment cannot write
 * them all, each has a pass of its own. */
export function writtenOf(pass, text) {
  const targets = /^#define WRITE_TARGETS .*$/m.exec(text)?.[0].matchAll(/(\w+)_texels/g);
  if (targets)
    return new Set([...targets].map(([, name]) => name));
  const side = pass.sideOutputNames.filter(name => name && isOn(text, `HAS_${name}`));
  return new Set(side.length ? side : ['OUTPUT']);
}

function partOf(pass, text) {
  const all = ['OUTPUT', ...pass.sideOutputNames.filter(Boolean)], written = writtenOf(pass, text);
  if (written.size === all.length)
    return '';
  const named = names => names.map(name => name === 'OUTPUT' ? 'the output' : name).join(', ');
  const later = written.has('OUTPUT') ? '' :
    ' All of these passes read the former numbers, so the new ones are seen after the last of them.';
  return ` This pass writes only ${named(all.filter(name => written.has(name)))}; another one writes ${
    named(all.filter(name => !written.has(name)))}.${later}`;
}

/** Sentences about a pass, from its description and the text of its shader. */
export function explain(pass, text) {
  const sentence = sentences[pass.kernel]?.(text, pass) ?? `runs the kernel ${pass.kernel}.`;
  return sentence[0].toUpperCase() + sentence.slice(1) + partOf(pass, text);
}

/** The parts of the text of a shader: the kernel, and what comes after and before it. Parts begin
 * with the numbers of their lines. */
export function splitText(text, pass) {
  const begins = [...text.matchAll(/^#line/gm)].map(({ index }) => index);
  const block = text.indexOf('void block(ivec2 at)');
  const begin = begins.filter(at => at < block).at(-1) ?? 0;
  const end = begins.find(at => at > begin && block >= 0) ?? text.length;
  return [{ name: `The kernel ${pass.kernel}`, text: text.slice(begin, end) },
    { name: 'After it: the main function, and what it includes', text: text.slice(end) },
    { name: 'Before it: definitions, operands and included files', text: text.slice(0, begin) }]
    .filter(part => part.text);
}
