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

/** Whether a definition is there, and not 0. */
export const isOn = (text, name) => Number(definitionOf(text, name) ?? 0) !== 0;

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
  'find nearest prototypes': text => 'multiplies the samples by the prototypes, which gives the distances between all of them.' + partial(text),
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
  'net/delta': (text, pass) => pass.writesOutput
    ? 'turns the outputs into probabilities and compares them with the labels. The difference is the error of each output.'
    : 'adds up the loss and the right answers of the batch.',
  'optimize/apply': (text, pass) => pass.writesOutput
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

/** The matrices that a pass writes, each with its name in the shader, and as the pass found it.
 * Where a fragment cannot write all outputs, several passes write them. */
export function outputsOf(pass) {
  return [{ name: 'OUTPUT', matrix: pass.output, former: pass.formerOutput, isWritten: pass.writesOutput },
    ...pass.sideOutputs.map((matrix, i) => ({ name: pass.sideOutputNames[i], matrix,
      former: pass.formerSideOutputs[i], isWritten: pass.writesSideOutputs[i] }))].filter(({ matrix }) => matrix);
}

const writtenOf = pass => outputsOf(pass).filter(({ isWritten }) => isWritten);

/** What a pass is for and what it writes, such as "forward of layer 1 (dense): output". Layers are
 * counted from 1, as on the other pages. */
export function nameOf(pass, layers) {
  const { part, layer } = pass, kind = layers?.[layer];
  const place = layer < 0 ? part : `${part} of layer ${layer + 1}${kind ? ` (${kind.replaceAll('_', ' ')})` : ''}`;
  return `${place}: ${writtenOf(pass).map(({ matrix }) => matrix.getName()).join(', ')}`;
}

/** The size of what a pass writes. */
export function sizeOf(pass) {
  const [{ matrix }] = writtenOf(pass);
  return `${matrix.rows} x ${matrix.columns}`;
}

function partOf(pass) {
  const all = outputsOf(pass), others = all.filter(({ isWritten }) => !isWritten);
  if (!others.length)
    return '';
  const named = outputs => outputs.map(({ matrix }) => `"${matrix.getName()}"`).join(' and ');
  const areAlike = all.every(({ matrix: { rows, columns } }) => rows === pass.output.rows && columns === pass.output.columns);
  return ` This pass writes only ${named(writtenOf(pass))}, and another one writes ${named(others)}: a fragment ${
    areAlike ? 'has too few render targets for both' : 'writes only matrices of one size'}. Both passes read the former numbers.`;
}

/** Sentences about a pass, from its description and the text of its shader. */
export function explain(pass, text) {
  const sentence = sentences[pass.kernel]?.(text, pass) ?? `runs the kernel ${pass.kernel}.`;
  return sentence[0].toUpperCase() + sentence.slice(1) + partOf(pass);
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
