// node --test web/test/files.test.mjs - tests how the package reads files, in a page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { inPage } from './in_page.mjs';
import { png } from './png.mjs';

// What a promise of the page fails with.
const refused = (run, argument) => inPage(async ([text, argument]) => {
  try {
    return await (0, eval)(`(${text})`)(argument);
  } catch ({ status, message }) {
    return { status, message };
  }
}, [String(run), argument]);

test('tables are read as the C library reads them, packed by gzip too', async () => {
  const text = 'a,b,kind\n1,2,x\n3,,y\n5,6.5,x\n';
  const [plain, packed] = await inPage(async ([text, packed]) => {
    const desc = { label: 'kind', missing: 'drop' };
    const read = async source => {
      const { inputs, labels, ...table } = await glnn.readCsv(source, desc);
      return { ...table, inputs: [...inputs], labels: [...labels] };
    };
    return [await read(text), await read(new File([new Uint8Array(packed)], 'table.csv.gz'))];
  }, [text, [...gzipSync(text)]]);
  const { rows, columns, droppedRows, values, labels } = plain;
  assert.deepEqual([rows, columns.features, columns.classes, droppedRows, values, labels], [2, 2, 1, 1, null, [0, 0]]);
  assert.deepEqual(plain.inputs, [1, 2, 5, 6.5]);
  assert.deepEqual([columns.of.map(({ name, role }) => [name, role]), columns.classNames],
    [[['a', 'feature'], ['b', 'feature'], ['kind', 'label']], ['x']]);
  assert.deepEqual(packed, plain);
});

test('categories and missing values of a table become features', async () => {
  const [columns, inputs, names] = await inPage(async () => {
    const { columns, inputs } = await glnn.readCsv('c,w\nred,1\ngreen,2\nred,3\ngreen,\n', { missing: 'indicator' });
    return [columns, [...inputs], Array.from({ length: columns.features }, (_, j) => glnn.csvColumnsNameFeature(columns, j))];
  });
  assert.deepEqual(names, ['c=green', 'c=red', 'w', 'w missing']);
  assert.deepEqual(inputs, [0, 1, 1, 0, 1, 0, 2, 0, 0, 1, 3, 0, 1, 0, 2, 1]);
  assert.deepEqual(columns.of.map(({ name, type, encoding }) => [name, type, encoding]),
    [['c', 'category', 'one_hot'], ['w', 'number', 'as_is']]);
});

test('columns that are fitted to some rows encode all rows, other tables and texts', async () => {
  const result = await inPage(async () => {
    const desc = { label: 'k', missing: 'category', raw: true, choices: [{ column: 'c', type: 'category' }] };
    const { columns, values } = await glnn.readCsv('c,w,k\nred,1,x\n,3,y\ngreen,,x\nblue,9,y\n', desc);
    const fitted = glnn.csvColumnsFit(columns, { missing: 'category' }, values.subarray(0, 4));
    const like = await glnn.readCsv('k,w,c\ny,5,red\nx,,pink\n', { label: 'k', like: fitted });
    const parsed = glnn.csvColumnsParse(fitted, ['red', null]);
    const again = glnn.csvColumnsFit(fitted, { missing: 'fill' }, values);
    return { unfitted: columns.features, features: fitted.features, all: glnn.csvColumnsEncode(fitted, values),
      like, parsed, encoded: glnn.csvColumnsEncode(fitted, parsed).inputs, again: again.features };
  });
  const plain = Object.fromEntries(Object.entries(result).map(([key, value]) => [key, value?.inputs ?? value]));
  assert.deepEqual([result.unfitted, result.features, result.again], [0, 3, 4]);
  assert.deepEqual(Object.values(plain.all), [1, 0, 1, 0, 1, 3, 0, 0, 2, 0, 0, 9]);
  assert.equal(result.all.unknown, 2);
  assert.deepEqual(Object.values(plain.like), [1, 0, 5, 0, 0, 2]);
  assert.deepEqual([Object.values(result.like.labels), result.like.unknownValues], [[1, 0], 1]);
  assert.deepEqual(Object.values(plain.encoded), [1, 0, 2]);
});

test('a table of many columns and categories is fitted and encoded', async () => {
  const [features, ones] = await inPage(async () => {
    const row = i => Array.from({ length: 300 }, (_, j) => `category ${(i * (j + 1)) % 31} of column ${j}`).join(',');
    const table = await glnn.readCsv(Array.from({ length: 124 }, (_, i) => row(i)).join('\n'), { header: 'no', raw: true });
    const columns = glnn.csvColumnsFit(table.columns, null, table.values);
    const { inputs } = glnn.csvColumnsEncode(columns, table.values);
    return [columns.features, inputs.reduce((sum, x) => sum + x, 0)];
  });
  assert.deepEqual([features, ones], [300 * 31 - 9 * 30, 300 * 124]); // nine columns have one category
});

test('columns that are not known, and too few fields, are refused', async () => {
  const messages = await inPage(() => [() => glnn.csvColumnsFit({ features: 2 }, null, [1, 2]),
    () => glnn.csvColumnsEncode({ features: 2, featureColumns: 0 }, [1, 2]),
    () => glnn.csvColumnsParse({ features: 2, featureColumns: 2 }, ['1'])].map(call => failure(call).message));
  messages.forEach((message, i) => assert.match(message, [/columnsFit|columns_fit/, /columnsEncode|columns_encode/,
    /csvColumnsParse: fields has 1 numbers, but needs 2/][i]));
});

test('scales bring samples to mean 0 and deviation 1 and back, and preparations apply them', async () => {
  const [scaled, back, prepared] = await inPage(() => {
    const samples = [1, 10, 3, 10, 5, 10], scale = glnn.scaleFit('standard', 2, samples);
    const scaled = glnn.scaleApply(scale, samples);
    const projected = { columns: { features: 2 }, scale, components: 1, mean: [0, 0], directions: [2, 0], eigenvalues: [1] };
    return [scaled, glnn.scaleUndo(scale, scaled), shared.preparationApply(projected, samples)].map(of => [...of]);
  });
  const near = (numbers, wanted) => numbers.forEach((x, i) => assert.ok(Math.abs(x - wanted[i]) < 1e-5, `${numbers}`));
  near(scaled, [-Math.sqrt(1.5), 0, 0, 0, Math.sqrt(1.5), 0]);
  near(back, [1, 10, 3, 10, 5, 10]);
  near(prepared, [-Math.sqrt(6), 0, Math.sqrt(6)]);
});

test('a flaw of a table is told with the name of its file, and by a name if another description can read it', async () => {
  const error = await inPage(async () => {
    try {
      return await glnn.readCsv(new File(['a,b\n1,\n2,3\n'], 'my table.csv'));
    } catch ({ status, message, problem }) {
      return { status, message, problem };
    }
  });
  assert.match(error.message, /my table\.csv/);
  assert.deepEqual([error.status, error.problem], ['GLNN_E_FORMAT', 'missing']);
});

const idx = (type, sizes, data) => {
  const header = Buffer.alloc(4 + 4 * sizes.length);
  header.set([0, 0, type, sizes.length]);
  sizes.forEach((size, i) => header.writeUInt32BE(size, 4 + 4 * i));
  return Buffer.concat([header, data]);
};

test('arrays of IDX are read with their types, packed by gzip too', async () => {
  const floats = Buffer.alloc(8);
  floats.writeFloatBE(0.5, 0);
  floats.writeFloatBE(-2, 4);
  const files = [gzipSync(idx(0x08, [2, 1, 3], Buffer.from([1, 2, 3, 4, 5, 255]))), idx(0x0d, [2], floats)];
  const read = await inPage(files => Promise.all(files.map(async bytes => {
    const { data, ...rest } = await glnn.readIdx(new Blob([new Uint8Array(bytes)]));
    return { ...rest, data: [...data], kind: data.constructor.name };
  })), files.map(file => [...file]));
  assert.deepEqual(read, [
    { type: 'uint8', shape: [2, 1, 3], data: [1, 2, 3, 4, 5, 255], kind: 'Uint8Array' },
    { type: 'float32', shape: [2], data: [0.5, -2], kind: 'Float32Array' }]);
});

test('files that are cut off, damaged or missing are refused', async () => {
  const packed = gzipSync(idx(0x08, [1000], Buffer.alloc(1000, 7)));
  const cut = await refused(bytes => glnn.readIdx(new File([new Uint8Array(bytes)], 'cut.gz')), [...packed.subarray(0, 20)]);
  assert.deepEqual(cut, { status: 'GLNN_E_FORMAT', message: 'cut.gz: the gzip data are damaged, cut off or followed by other bytes' });
  const short = await refused(bytes => glnn.readIdx(new File([new Uint8Array(bytes)], 'short.idx')), [...idx(0x08, [9], Buffer.alloc(8))]);
  assert.equal(short.status, 'GLNN_E_FORMAT');
  assert.match(short.message, /short\.idx: .*9.* bytes/);
  const missing = await refused(async () => glnn.readIdx(await fetch('/none.idx.gz')));
  assert.equal(missing.status, 'GLNN_E_IO');
  assert.match(missing.message, /none\.idx\.gz: the server answered 404/);
  const text = await refused(() => module.readImage(new File(['text'], 'a.png')));
  assert.equal(text.status, 'GLNN_E_FORMAT');
  assert.match(text.message, /a\.png: the browser cannot read this as a picture/);
  assert.equal((await refused(() => module.readImage(new Blob([]), { channels: 2 }))).status, 'GLNN_E_ARG');
});

test('pictures are grey or have colours, and transparent pixels are blended with black', async () => {
  const pixels = [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 10, 20, 30, 255, 200, 100, 50, 128, 7, 7, 7, 0];
  const read = await inPage(async bytes => {
    const file = new Blob([new Uint8Array(bytes)]), grey = await module.readImage(file), colours = await module.readImage(file, { channels: 3 });
    return { shapes: [grey.shape, colours.shape], grey: [...grey.pixels], colours: [...colours.pixels] };
  }, [...png(3, 2, pixels)]);
  assert.deepEqual(read.shapes, [{ channels: 1, height: 2, width: 3 }, { channels: 3, height: 2, width: 3 }]);
  const wanted = [0, 1, 2].map(channel => Array.from({ length: 6 }, (_, i) => pixels[4 * i + channel] * pixels[4 * i + 3] / 65025));
  wanted.flat().forEach((value, i) => assert.ok(Math.abs(read.colours[i] - value) <= 0.5 / 255 + 1e-6, `${i}: ${read.colours[i]}, not ${value}`));
  read.grey.forEach((value, i) => assert.ok(Math.abs(value - 0.299 * wanted[0][i] - 0.587 * wanted[1][i] - 0.114 * wanted[2][i]) <= 0.5 / 255 + 1e-6));
});
