// Data sets out of tables as text (CSV), which the library reads. They are those of data.js with the
// table, the column that is predicted, and in each part the raw values.
//
// A table has its name and bytes, `format`, which says how to read its text, and its columns in the
// order of the file.
import { readBytes } from '../package/glnn.js';
import { split } from './data.js';

const separators = [',', ';', '\t'], mostClasses = 20, fewestRows = 10;

// ---- Reading

function separatorOf(bytes) {
  const text = new TextDecoder().decode(bytes.subarray(0, 1 << 16)).replace(/^\ufeff/, '').trimStart();
  const [line] = text.split(/[\r\n]/, 1);
  return separators.toSorted((a, b) => line.split(b).length - line.split(a).length)[0];
}

// Reads a table, and gives it with the description. `remedies` has a change of the description for a
// problem, by the name that the library gives it.
async function readBy(library, table, desc, remedies) {
  try {
    return [await library.readCsv(new File([table.bytes], table.name), desc), desc];
  } catch (error) {
    const { [error.problem]: remedy, ...others } = remedies;
    if (!remedy)
      throw error;
    return readBy(library, table, { ...desc, ...remedy }, others);
  }
}

// The values of a feature column of a table that was read as raw.
const valuesOf = ({ values, rows, columns: { featureColumns } }, j) =>
  Array.from({ length: rows }, (_, i) => values[i * featureColumns + j]);

// Numbers are measured, unless there are few different ones and all are whole: these can be classes.
function isMeasured({ type }, values) {
  const different = [...new Set(values)].filter(value => !Number.isNaN(value));
  return type === 'number' && (different.length > mostClasses || !different.every(Number.isInteger));
}

/** What the page calls a column. */
export const columnTitle = ({ name, position }) => name || `column ${position}`;

const contents = { empty: 'empty', text: 'texts that differ', row_number: 'numbers of the rows' };

/** Reads a file. Without commas between the columns, a comma can be that of a decimal number. */
export async function readTable(library, file) {
  const table = { name: file.name, bytes: await readBytes(file) }, separator = separatorOf(table.bytes);
  if (!table.bytes.length || table.bytes.subarray(0, 1000).includes(0))
    throw new Error(`${file.name}: this is neither a picture, nor a file in the format IDX, nor a table ` +
      'as text (CSV).');
  const [csv, desc] = await readBy(library, table, { separator, raw: true, missing: 'category' },
    { header: { header: 'no' }, ...separator !== ',' && { text: { decimal: ',' } } });
  const columns = csv.columns.of.map((column, j) => {
    const values = column.role === 'feature' ? valuesOf(csv, j) : [], isUsable = !values.every(Number.isNaN);
    return { ...column, title: columnTitle(column), isMeasured: isMeasured(column, values), isUsable,
      content: isUsable ? column.type : contents[column.type] };
  });
  return { ...table, format: { ...desc, header: columns[0].name === null ? 'no' : 'yes' },
    columns: columns.sort((a, b) => a.position - b.position) };
}

// ---- Data sets

const isSame = (a, b) => a.name !== null && b.name !== null ? a.name === b.name : a.position === b.position;

// How a description names a column.
const called = ({ name, position }) => name || String(position);

/** The feature column of a data set that a column of its table is, or undefined. */
export const featureOf = ({ preparation: { columns: { of, featureColumns } } }, column) =>
  of.slice(0, featureColumns).find(feature => isSame(feature, column));

// The last column, or the first one if only this has texts.
const usuallyPredicted = ({ columns }) =>
  columns.at(-1).type === 'number' && columns[0].type === 'category' ? columns[0] : columns.at(-1);

// What a network of a file predicts, if its preparation tells it.
const predictedBy = ({ columns: { of, classes } }) =>
  of?.find(({ role }) => role === (classes ? 'label' : 'target'));

function check({ name }, { rows, labels, targets, columns }, column, like) {
  if (rows < fewestRows)
    throw new Error(`${name}: the table has ${rows} rows of samples, but training needs at least ${fewestRows}.`);
  if (!labels && !targets)
    throw new Error(`${name}: the table has no column "${called(column)}", which the network predicts.`);
  if (columns.targets > 1)
    throw new Error(`${name}: the network predicts ${columns.targets} numbers, but this page shows one.`);
  if (labels && !like && columns.classes < 2)
    throw new Error(`${name}: column "${called(column)}" has one value alone, "${columns.classNames[0]}".`);
}

// The preparation (glnn/preparation.h) of a network that learns from some rows.
function fit(library, columns, { values, targets }) {
  const fitted = library.csvColumnsFit(columns, { missing: 'category' }, values);
  const { inputs } = library.csvColumnsEncode(fitted, values);
  return { columns: fitted, scale: library.scaleFit('standard', fitted.features, inputs),
    ...targets && { targetScale: library.scaleFit('standard', 1, targets) } };
}

function prepared({ library, context }, preparation, { targets, ...part }) {
  const { columns, targetScale } = preparation, { inputs } = library.csvColumnsEncode(columns, part.values);
  return { ...part, inputs: context.preparationApply(preparation, inputs),
    ...targets && { targets: targetScale?.features ? library.scaleApply(targetScale, targets) : targets } };
}

const namesOf = ({ classes, classNames }) => classNames ?? Array.from({ length: classes }, (_, i) => String(i));

/** The data set of a table. `predicted` is the column to be learnt, and `leftOut` are columns to
 * ignore. `like` is the preparation of a network that the data set is for. */
export async function fromTable(tools, table, { predicted = usuallyPredicted(table),
  leftOut = table.columns.filter(column => !column.isUsable), like = null } = {}) {
  const column = (like && predictedBy(like)) ?? predicted;
  const isTarget = like ? !like.columns.classes : predicted.isMeasured;
  const [csv] = await readBy(tools.library, table, { ...table.format, like: like?.columns,
    ...isTarget ? { targets: [called(column)] } : { label: called(column) },
    dropped: leftOut.filter(other => !isSame(other, column)).map(called) }, { unlabelled: { missing: 'drop' } });
  check(table, csv, column, like);
  const { rows: count, values, labels, targets } = csv, rows = split({ count, values, labels, targets });
  const preparation = like ?? fit(tools.library, csv.columns, rows.training);
  const [training, test] = [rows.training, rows.test].map(part => prepared(tools, preparation, part));
  return { name: table.name, table, predicted: table.columns.find(other => isSame(other, column)) ?? predicted,
    features: training.inputs.length / training.count, shape: null, preparation, training, test,
    missing: csv.missingValues, dropped: csv.droppedRows, unknown: csv.unknownValues,
    ...!isTarget && { classNames: namesOf(csv.columns) } };
}

// ---- What the page shows

/** A raw value of a column, as a text. */
export function textOf({ type, categoryNames }, value) {
  if (Number.isNaN(value))
    return 'missing';
  if (type === 'category')
    return categoryNames[value] ?? 'other';
  return type === 'date' ? new Date(Date.UTC(2000, 0, 1) + value * 864e5).toISOString().slice(0, 10)
    : String(Number(value.toPrecision(5)));
}
