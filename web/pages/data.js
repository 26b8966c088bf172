// Data sets out of files: pictures in the IDX format of MNIST, and tables as text (CSV).
//
// A data set has a name, the features of a sample, `shape` if a sample is a picture, `classNames`
// if samples have labels, and the parts `training` and `test`. A part has a count, the inputs, and
// labels or targets. Inputs are bytes for pictures (0 to 255) and floats for tables. `preparation`
// is what files of a network have to tell about raw samples.
import { readBytes } from '../package/glnn.js';
import { randomNumbers, withClasses } from './digits.js';

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
    ...withClasses(features, Array.from({ length: greatest + 1 }, (_, i) => String(i))) };
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

// The lines with text, each with its number.
const linesOf = text => text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)
  .map((line, i) => ({ line, number: i + 1 })).filter(({ line }) => line.trim());

// Where fields are not separated by commas, a comma can be that of a decimal number. It is if there
// are such numbers and none with a point.
function withPoints(rows, separator) {
  const hasMark = mark => new RegExp(`^[+-]?\\d*${mark}\\d+(e[+-]?\\d+)?$`, 'i'), isDecimal = hasMark(',');
  const has = form => rows.some(row => row.some(field => form.test(field)));
  return separator === ',' || !has(isDecimal) || has(hasMark('\\.')) ? rows
    : rows.map(row => row.map(field => isDecimal.test(field) ? field.replace(',', '.') : field));
}

function readTable(name, text) {
  const lines = linesOf(text);
  if (!lines.length)
    throw new Error(`${name}: the file has no text.`);
  const [first] = lines, [separator] = [',', ';', '\t']
    .sort((a, b) => first.line.split(b).length - first.line.split(a).length);
  const fields = lines.map(({ line }) => fieldsOf(line, separator));
  const bad = fields.findIndex(row => row.length !== fields[0].length);
  if (bad > 0)
    throw new Error(`${name}: line ${lines[bad].number} has ${fields[bad].length} columns, but line ${first.number} has ` +
      `${fields[0].length}.`);
  if (fields[0].length < 2)
    throw new Error(`${name}: a table needs at least two columns, one of which is predicted.`);
  const rows = withPoints(fields, separator), hasHeader = !rows[0].some(isNumber);
  const names = hasHeader ? rows.shift() : rows[0].map((_, i) => `column ${i + 1}`);
  if (rows.length < 10)
    throw new Error(`${name}: the table has ${rows.length} rows of samples, but training needs ` +
      'at least 10.');
  return { name, names, hasHeader, rows };
}

const column = (rows, i) => rows.map(row => row[i]);

// Labels are texts, or up to twenty different whole numbers.
function isLabel(fields) {
  const different = new Set(fields);
  return fields.some(field => !isNumber(field)) ||
    different.size <= 20 && [...different].every(field => Number.isInteger(Number(field)));
}

// Labels as the C library compares them: 1.0 is the same as 1 if all are whole numbers.
function labelsOf(fields) {
  const areNumbers = fields.every(field => isNumber(field) && Number.isInteger(Number(field)));
  return areNumbers ? fields.map(field => String(Number(field))) : fields;
}

// The only column that has texts, or the last one.
function usuallyPredicted({ names, rows }) {
  const texts = [...names.keys()].filter(i =>
    column(rows, i).some(field => !isMissing(field) && !isNumber(field)));
  return texts.length === 1 ? texts[0] : names.length - 1;
}

// The numbers of a column; a missing one is NaN.
function numbersOf({ name, names }, rows, i) {
  const fields = column(rows, i);
  const text = fields.find(field => !isMissing(field) && !isNumber(field));
  if (text !== undefined)
    throw new Error(`${name}: "${text}" in column "${names[i]}" is not a number. ` +
      'Only the column that is predicted can have texts.');
  return fields.map(field => isMissing(field) ? NaN : Number(field));
}

// Brings each column to mean 0 and deviation 1.
function scaleOf(columns) {
  const moments = columns.map(numbers => {
    const known = numbers.filter(Number.isFinite), count = Math.max(known.length, 1);
    const mean = known.reduce((sum, x) => sum + x, 0) / count;
    return { mean, deviation: Math.sqrt(known.reduce((sum, x) => sum + (x - mean) ** 2, 0) / count) };
  });
  return { features: columns.length, offset: moments.map(({ mean }) => mean),
    factor: moments.map(({ deviation }) => deviation ? 1 / deviation : 1) };
}

const scaled = ({ features, offset, factor }, x, j) => features ? (x - offset[j]) * factor[j] : x;

const withoutMissing = ({ rows }, predicted) => rows.filter(row => !isMissing(row[predicted]));

// The preparation (glnn/preparation.h) by which a network learns to predict a column from all others.
function fit(table, predicted) {
  const { names, hasHeader } = table, rows = withoutMissing(table, predicted), own = names[predicted];
  const places = [...names.keys()].filter(i => i !== predicted);
  const scale = scaleOf(places.map(i => numbersOf(table, rows, i))), fields = column(rows, predicted);
  const nameOf = i => hasHeader ? names[i] : null;
  const numbers = places.map((i, j) => ({ name: nameOf(i), position: i + 1, type: 'number', encoding: 'as_is', features: 1,
    fill: scale.offset[j], missing: 'fill' }));
  const columnsWith = role => ({ count: places.length + 1, featureColumns: places.length, features: places.length,
    of: [...numbers, { name: nameOf(predicted), position: predicted + 1, role, type: role === 'target' ? 'number' : 'auto' }] });
  if (!isLabel(fields))
    return { columns: { ...columnsWith('target'), targets: 1 }, scale, targetScale: scaleOf([fields.map(Number)]) };
  const classNames = [...new Set(labelsOf(fields))]
    .sort((a, b) => isNumber(a) && isNumber(b) ? a - b : a < b ? -1 : 1);
  if (classNames.length < 2)
    throw new Error(`${table.name}: column "${own}" has one value alone, "${classNames[0]}".`);
  return { columns: { ...columnsWith('label'), classes: classNames.length, classNames }, scale };
}

// The columns of a preparation that features are made of; [] if they are not known.
const featureColumnsOf = ({ of, featureColumns }) => (of ?? []).slice(0, featureColumns ?? 0);

// The columns of a table that are the features of a preparation: by their names, or else by position.
function placesOf({ name, names, hasHeader }, predicted, columns) {
  const { features } = columns, known = featureColumnsOf(columns);
  if (known.some(({ type, features: made }) => type !== 'number' || made !== 1))
    throw new Error(`${name}: the network needs categories, dates or indicators of missing values, which this page does ` +
      'not compute.');
  const others = [...names.keys()].filter(i => i !== predicted);
  if (known.length > 0 && known[0].name !== null && hasHeader)
    return known.map(({ name: of }) => {
      const place = names.indexOf(of);
      if (place < 0 || place === predicted)
        throw new Error(`${name}: the network needs a column "${of}", which the table does not have or which is predicted.`);
      return place;
    });
  if (others.length !== features)
    throw new Error(`${name}: the network needs ${features} columns, but the table has ${others.length} besides the ` +
      'one that is predicted.');
  return others;
}

// What is predicted, as numbers: classes or scaled targets.
function learntOf({ name, names }, fields, predicted, { columns: { classes, classNames }, targetScale }) {
  if (!classes)
    return { targets: Float32Array.from(fields, field => scaled(targetScale ?? { features: 0 }, Number(field), 0)) };
  const unknown = labelsOf(fields).find(label => !classNames.includes(label));
  if (unknown !== undefined)
    throw new Error(`${name}: "${unknown}" in column "${names[predicted]}" is none of the ${classes} classes ` +
      `of the network, such as "${classNames[0]}".`);
  return { labels: Int32Array.from(labelsOf(fields), label => classNames.indexOf(label)) };
}

function prepared(table, predicted, preparation) {
  const { columns, scale, targetScale } = preparation, { features } = columns;
  const means = featureColumnsOf(columns).map(({ fill }) => fill);
  const rows = withoutMissing(table, predicted), places = placesOf(table, predicted, columns);
  const inputs = new Float32Array(rows.length * features);
  places.forEach((i, j) => numbersOf(table, rows, i).forEach((x, row) =>
    inputs[row * features + j] = scaled(scale, Number.isNaN(x) ? means[j] : x, j)));
  const filled = places.reduce((sum, i) => sum + column(rows, i).filter(isMissing).length, 0);
  const all = { count: rows.length, inputs, ...learntOf(table, column(rows, predicted), predicted, preparation) };
  return { name: table.name, table, predicted, features, shape: null, filled, dropped: table.rows.length - rows.length,
    preparation, ...columns.classes ? { classNames: columns.classNames } : { targetScale },
    ...split(all, features) };
}

/** The data set of a table, of which column `predicted` is to be learnt. */
export function fromTable(table, predicted = usuallyPredicted(table)) {
  return prepared(table, predicted, fit(table, predicted));
}

/** The data set of a table for a network of a file, which has a preparation. */
export function fromTableLike({ table, predicted }, preparation) {
  const { columns: { of, classes, classNames, targets }, components, gradients } = preparation;
  const named = table.names.indexOf(of?.find(({ role }) => role === 'label' || role === 'target')?.name);
  if (components || gradients.width || targets > 1)
    throw new Error(`${table.name}: the network needs components, gradients of images or several targets, which this ` +
      'page does not compute.');
  const names = classNames ?? Array.from({ length: classes }, (_, i) => String(i));
  return prepared(table, named < 0 ? predicted : named,
    { ...preparation, columns: { ...preparation.columns, classNames: names } });
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
