// Data sets out of files: pictures in the IDX format of MNIST, and tables as text (CSV).
//
// A data set has a name, the features of a sample, `shape` if a sample is a picture, `classNames`
// if samples have labels, and the parts `training` and `test`. A part has a count, the inputs, and
// labels or targets. Inputs are bytes for pictures (0 to 255) and floats for tables.
import { readBytes } from '../package/glnn.js';
import { randomNumbers } from './digits.js';

// ---- IDX

const isIdx = bytes =>
  bytes.length > 4 && bytes[0] === 0 && bytes[1] === 0 && bytes[3] >= 1 && bytes[3] <= 4;

function readIdx(name, bytes) {
  if (bytes[2] !== 8)
    throw new Error(`${name}: the elements have type ${bytes[2]}, but pictures and labels are bytes ` +
      '(type 8).');
  const view = new DataView(bytes.buffer);
  const shape = Array.from({ length: bytes[3] }, (_, i) => view.getUint32(4 + 4 * i));
  const data = bytes.subarray(4 + 4 * shape.length);
  const count = shape.reduce((product, size) => product * size, 1);
  if (data.length !== count)
    throw new Error(`${name}: the sizes ${shape.join(' x ')} need ${count} bytes, but the file has ` +
      `${data.length}.`);
  return { name, shape, data };
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
    classNames: Array.from({ length: greatest + 1 }, (_, i) => String(i)) };
  return parts.length > 1 ? { ...data, training: parts[0], test: parts[1] }
    : { ...data, ...split(parts[0], features) };
}

// ---- Parts

// Keeps a fifth of the samples, chosen at random, for the test.
function split({ count, inputs, labels, targets }, features) {
  const random = randomNumbers(1), order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; --i) {
    const other = Math.floor(random() * (i + 1));
    [order[i], order[other]] = [order[other], order[i]];
  }
  const take = chosen => {
    const part = { count: chosen.length, inputs: new inputs.constructor(chosen.length * features) };
    const sample = i => inputs.subarray(i * features, (i + 1) * features);
    chosen.forEach((from, i) => part.inputs.set(sample(from), i * features));
    return { ...part, ...labels ? { labels: Int32Array.from(chosen, i => labels[i]) }
      : { targets: Float32Array.from(chosen, i => targets[i]) } };
  };
  const tested = Math.max(1, Math.floor(count / 5));
  return { training: take(order.slice(tested)), test: take(order.slice(0, tested)) };
}

// ---- Tables

// The fields of a line; a field in quotes may have separators, and a quote twice.
function fieldsOf(line, separator) {
  const fields = [];
  for (let at = 0; at <= line.length;) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*/.exec(line.slice(at));
    const end = line.indexOf(separator, at + (quoted?.[0].length ?? 0));
    const field = line.slice(at, end < 0 ? line.length : end);
    fields.push(quoted ? quoted[1].replaceAll('""', '"') : field.trim());
    at = end < 0 ? line.length + 1 : end + 1;
  }
  return fields;
}

const isMissing = field => /^(|\?|NA|nan)$/i.test(field);
const isNumber = field => field !== '' && Number.isFinite(Number(field));

function readTable(name, text) {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/).filter(line => line.trim());
  const [separator] = [',', ';', '\t']
    .sort((a, b) => lines[0].split(b).length - lines[0].split(a).length);
  const rows = lines.map(line => fieldsOf(line, separator));
  const bad = rows.findIndex(row => row.length !== rows[0].length);
  if (bad > 0)
    throw new Error(`${name}: line ${bad + 1} has ${rows[bad].length} columns, but the first line has ` +
      `${rows[0].length}.`);
  if (rows[0].length < 2)
    throw new Error(`${name}: a table needs at least two columns, one of which is predicted.`);
  const hasHeader = !rows[0].some(isNumber);
  const names = hasHeader ? rows.shift() : rows[0].map((_, i) => `column ${i + 1}`);
  if (rows.length < 10)
    throw new Error(`${name}: the table has ${rows.length} rows of samples, but training needs ` +
      'at least 10.');
  return { name, names, rows };
}

const column = ({ rows }, i) => rows.map(row => row[i]);

// Labels are texts, or up to twenty different whole numbers.
function isLabel(fields) {
  const different = new Set(fields);
  return fields.some(field => !isNumber(field)) ||
    different.size <= 20 && [...different].every(field => Number.isInteger(Number(field)));
}

function standardised(numbers) {
  const known = numbers.filter(Number.isFinite);
  const mean = known.reduce((sum, x) => sum + x, 0) / known.length;
  const deviation = Math.sqrt(known.reduce((sum, x) => sum + (x - mean) ** 2, 0) / known.length);
  const scaled = x => Number.isFinite(x) && deviation ? (x - mean) / deviation : 0;
  return { mean, deviation, values: numbers.map(scaled) };
}

// The only column that has texts, or the last one.
function usuallyPredicted(table) {
  const texts = [...table.names.keys()].filter(i =>
    column(table, i).some(field => !isMissing(field) && !isNumber(field)));
  return texts.length === 1 ? texts[0] : table.names.length - 1;
}

/** The data set of a table, of which column `predicted` is to be learnt. */
export function fromTable(table, predicted = usuallyPredicted(table)) {
  const rows = table.rows.filter(row => !isMissing(row[predicted]));
  const whole = { ...table, rows };
  const featureNumbers = table.names.map((_, i) => i).filter(i => i !== predicted);
  const columns = featureNumbers.map(i => {
    const fields = column(whole, i);
    const text = fields.findIndex(field => !isMissing(field) && !isNumber(field));
    if (text >= 0)
      throw new Error(`${table.name}: "${fields[text]}" in column "${table.names[i]}" is not a number. ` +
        'Only the column that is predicted can have texts.');
    return standardised(fields.map(field => isMissing(field) ? NaN : Number(field)));
  });
  const inputs = new Float32Array(rows.length * columns.length);
  columns.forEach(({ values }, i) =>
    values.forEach((x, row) => inputs[row * columns.length + i] = x));
  const filled = featureNumbers.reduce((sum, i) => sum + column(whole, i).filter(isMissing).length, 0);
  const data = { name: table.name, table, predicted, features: columns.length, shape: null, filled,
    dropped: table.rows.length - rows.length };
  const known = column(whole, predicted), all = { count: rows.length, inputs };
  if (!isLabel(known)) {
    const { mean, deviation, values } = standardised(known.map(Number));
    return { ...data, scale: { mean, deviation },
      ...split({ ...all, targets: Float32Array.from(values) }, columns.length) };
  }
  const classNames = [...new Set(known)]
    .sort((a, b) => isNumber(a) && isNumber(b) ? a - b : a < b ? -1 : 1);
  if (classNames.length < 2)
    throw new Error(`${table.name}: column "${table.names[predicted]}" has one value alone, ` +
      `"${classNames[0]}".`);
  return { ...data, classNames,
    ...split({ ...all, labels: Int32Array.from(known, label => classNames.indexOf(label)) },
      columns.length) };
}

// ---- Files

/** Reads files that somebody has chosen or dropped. */
export async function readData(files) {
  const read = await Promise.all(files.map(async file =>
    ({ name: file.name, bytes: await readBytes(file) })));
  const pictures = read.filter(({ bytes }) => isIdx(bytes));
  if (pictures.length)
    return fromIdx(pictures.map(({ name, bytes }) => readIdx(name, bytes)));
  const [{ name, bytes }] = read;
  if (!bytes.length || bytes.subarray(0, 1000).includes(0))
    throw new Error(`${name}: this is neither a table as text (CSV) nor a file in the format IDX.`);
  return fromTable(readTable(name, new TextDecoder().decode(bytes)));
}
