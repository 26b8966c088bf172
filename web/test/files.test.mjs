// node --test web/test/files.test.mjs - tests how the package reads files, in a page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { inPage } from './in_page.mjs';

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
  assert.deepEqual([plain.rows, plain.features, plain.classes, plain.droppedRows], [2, 2, 1, 1]);
  assert.deepEqual(plain.inputs, [1, 2, 5, 6.5]);
  assert.deepEqual([plain.featureNames, plain.classNames, plain.labelName], [['a', 'b'], ['x'], 'kind']);
  assert.deepEqual(packed, plain);
});

test('categories and missing values of a table become features', async () => {
  const table = await inPage(async () => {
    const { inputs, ...rest } = await glnn.readCsv('c,w\nred,1\ngreen,2\nred,3\ngreen,\n', { missing: 'indicator' });
    return { ...rest, inputs: [...inputs] };
  });
  assert.deepEqual(table.featureNames, ['c=green', 'c=red', 'w', 'w missing']);
  assert.deepEqual(table.inputs, [0, 1, 1, 0, 1, 0, 2, 0, 0, 1, 3, 0, 1, 0, 2, 1]);
  assert.deepEqual(table.columns.map(({ name, type, encoding }) => [name, type, encoding]),
    [['c', 'category', 'one_hot'], ['w', 'number', 'as_is']]);
});

test('a flaw of a table is told with the name of its file', async () => {
  const error = await refused(() => glnn.readCsv(new File(['a,b\n1,\n'], 'my table.csv')));
  assert.match(error.message, /my table\.csv/);
  assert.ok(error.status.startsWith('GLNN_E_'));
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

// A PNG file of pixels of red, green, blue and alpha, with rows that no filter has changed.
function png(width, height, pixels) {
  const crc = bytes => ~bytes.reduce((sum, byte) => {
    for (let bit = sum ^ byte, i = 0; ; ++i) {
      if (i === 8)
        return bit;
      bit = bit & 1 ? bit >>> 1 ^ 0xedb88320 : bit >>> 1;
    }
  }, -1);
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]), out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeInt32BE(crc(body), body.length + 4);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Buffer.concat(Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.from([0]), Buffer.from(pixels.slice(4 * width * y, 4 * width * (y + 1)))])));
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

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
