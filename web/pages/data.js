// Data sets of pictures, in folders of the classes or in the IDX format of MNIST.
//
// A data set has a name, the features of a sample, `shape` if a sample is a picture, `classNames`
// if samples have labels, and the parts `training` and `test`. A part has a count, the inputs, and
// labels or targets. Inputs are bytes (0 to 255) or floats. `preparation` is what files of a network
// have to tell about raw samples.
import { readBytes, readImage } from '../package/glnn.js';
import { randomNumbers, withClasses } from './digits.js';

// ---- IDX

const isIdx = bytes =>
  bytes.length > 4 && bytes[0] === 0 && bytes[1] === 0 && bytes[3] >= 1 && bytes[3] <= 4;

async function readIdx(library, { name, bytes }) {
  const { type, ...array } = await library.readIdx(new File([bytes], name));
  if (type !== 'uint8')
    throw new Error(`${name}: the elements have the type ${type}, but pictures and labels are bytes (uint8).`);
  return { name, ...array };
}

// The labels that belong to pictures have the same count; of several, the name is the most similar.
function labelsFor(pictures, files) {
  const [count] = pictures.shape;
  const likeness = file => [...file.name].filter((letter, i) => letter === pictures.name[i]).length;
  const [labels] = files.filter(({ shape }) => shape.length === 1 && shape[0] === count)
    .sort((a, b) => likeness(b) - likeness(a));
  if (!labels)
    throw new Error(`${pictures.name}: there is no file with ${count} labels. ` +
      'Choose the files of pictures and of labels together.');
  return labels;
}

// The sizes of the pictures of a file. A file of two dimensions has rows of numbers.
const pictureShape = ({ shape: [, height, width, depth] }) =>
  width === undefined ? null : { channels: depth ?? 1, height, width };

// A file has the channels of a pixel next to each other, a sample the pixels of a channel.
function planes({ shape: [count, height, width, depth], data }) {
  if (depth === undefined || depth === 1)
    return data;
  const pixels = height * width, planar = new Uint8Array(data.length);
  for (let i = 0; i < count * pixels; ++i)
    for (let channel = 0; channel < depth; ++channel)
      planar[(Math.floor(i / pixels) * depth + channel) * pixels + i % pixels] =
        data[i * depth + channel];
  return planar;
}

function fromIdx(files) {
  const pictures = files.filter(file => file.shape.length > 1).sort((a, b) => b.shape[0] - a.shape[0]);
  if (!pictures.length)
    throw new Error('The files have labels but no pictures. Choose both together.');
  const parts = pictures.map(file => {
    const { data } = labelsFor(file, files);
    return { count: file.shape[0], inputs: planes(file), labels: Int32Array.from(data) };
  });
  const features = pictures[0].data.length / pictures[0].shape[0];
  pictures.forEach(file => {
    if (file.data.length / file.shape[0] !== features)
      throw new Error(`${file.name}: a picture has ${file.data.length / file.shape[0]} numbers, ` +
        `but one of ${pictures[0].name} has ${features}.`);
  });
  const greatest = parts.reduce((most, { labels }) =>
    labels.reduce((a, b) => Math.max(a, b), most), 0);
  const data = { name: pictures[0].name, features, shape: pictureShape(pictures[0]),
    ...withClasses(features, Array.from({ length: greatest + 1 }, (_, i) => String(i))) };
  return parts.length > 1 ? { ...data, training: parts[0], test: parts[1] }
    : { ...data, ...split(parts[0]) };
}

// ---- Parts

/** Keeps a fifth of the samples, chosen at random, for the test. Each array has a row for a sample. */
export function split({ count, ...arrays }) {
  const random = randomNumbers(1), order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; --i) {
    const other = Math.floor(random() * (i + 1));
    [order[i], order[other]] = [order[other], order[i]];
  }
  const rowsOf = (array, chosen) => {
    const width = array.length / count, rows = new array.constructor(chosen.length * width);
    chosen.forEach((from, i) => rows.set(array.subarray(from * width, (from + 1) * width), i * width));
    return rows;
  };
  const take = chosen => ({ count: chosen.length, ...Object.fromEntries(Object.entries(arrays)
    .filter(([, array]) => array).map(([name, array]) => [name, rowsOf(array, chosen)])) });
  const tested = Math.max(1, Math.floor(count / 5));
  return { training: take(order.slice(tested)), test: take(order.slice(0, tested)) };
}

// ---- Pictures

const isPicture = ({ name }) => /\.(png|jpe?g|gif|bmp|webp)$/i.test(name);
const folderOf = file => file.path.split('/').at(-2);

async function fromPictures(files) {
  const sorted = files.toSorted((a, b) => a.path < b.path ? -1 : 1);
  const classNames = [...new Set(sorted.map(folderOf))].sort();
  if (classNames.length < 2 || classNames.includes(undefined))
    throw new Error(`${files[0].name}: a picture has the name of its folder as its label. ` +
      'Drop a folder that has a folder of pictures for each of two or more classes.');
  const pictures = await Promise.all(sorted.map(file => readImage(file))), [{ shape }] = pictures;
  const features = shape.height * shape.width, inputs = new Float32Array(features * pictures.length);
  pictures.forEach(({ shape: { height, width }, pixels }, i) => {
    if (height !== shape.height || width !== shape.width)
      throw new Error(`${sorted[i].path}: the picture has ${height} x ${width} pixels, but ${sorted[0].path} has ` +
        `${shape.height} x ${shape.width}. All pictures must have one size.`);
    inputs.set(pixels, i * features);
  });
  const labels = Int32Array.from(sorted, file => classNames.indexOf(folderOf(file)));
  return { name: sorted[0].path.split('/').at(-3) ?? 'pictures', features, shape, ...withClasses(features, classNames),
    ...split({ count: pictures.length, inputs, labels }) };
}

// ---- Files

/** Reads the pictures of files that somebody has chosen or dropped, or gives null if there are none. */
export async function readPictures(files, library) {
  const pictures = files.filter(isPicture);
  if (pictures.length)
    return fromPictures(pictures);
  const read = await Promise.all(files.map(async file =>
    ({ name: file.name, bytes: await readBytes(file) })));
  const arrays = read.filter(({ bytes }) => isIdx(bytes));
  return arrays.length ? fromIdx(await Promise.all(arrays.map(array => readIdx(library, array)))) : null;
}
