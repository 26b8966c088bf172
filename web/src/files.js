// Files: arrays of bytes that functions of C read and write, and files of the page. Where C would
// need zlib and libpng, the browser unpacks gzip and reads pictures.
import { GlnnError } from './native.js';

// ---- Files for functions of C

/** The bytes of a file that a function writes. */
export function written(native, name, write) {
  const path = `/${name}`;
  write(path);
  const bytes = native.module.FS.readFile(path);
  native.module.FS.unlink(path);
  return bytes;
}

/** Lets a function read bytes as a file. */
export function withFile(native, bytes, name, read) {
  const path = `/${name}`;
  native.module.FS.writeFile(path, bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes);
  try {
    return read(path);
  } finally {
    native.module.FS.unlink(path);
  }
}

// ---- Files of the page

const nameOf = (source, other) => (source.name || source.url?.split('/').pop() || other).replaceAll('/', '_');

// The bytes of a source as they are.
async function fetchBytes(source, name) {
  if (typeof source === 'string')
    return new TextEncoder().encode(source);
  if (source.ok === false)
    throw new GlnnError('GLNN_E_IO', `${name}: the server answered ${source.status} ${source.statusText}`);
  if (ArrayBuffer.isView(source))
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  return new Uint8Array(source.arrayBuffer ? await source.arrayBuffer() : source);
}

async function unpack(bytes, name) {
  if (typeof DecompressionStream === 'undefined')
    throw new GlnnError('GLNN_E_UNSUPPORTED', `${name}: this browser cannot unpack gzip`);
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  try {
    return new Uint8Array(await new Response(unpacked).arrayBuffer());
  } catch {
    throw new GlnnError('GLNN_E_FORMAT', `${name}: the gzip data are damaged, cut off or followed by ` +
      'other bytes');
  }
}

/** The bytes of a File, Blob, Response, array or text. Those that gzip has compressed are unpacked. */
export async function readBytes(source, name = nameOf(source, 'file')) {
  const bytes = await fetchBytes(source, name);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? unpack(bytes, name) : bytes;
}

// ---- Pictures, with the limits of the C library

const mostSide = 16384, mostPixels = 2 ** 26;

async function decode(source, name) {
  const bytes = await fetchBytes(source, name);
  try {
    return await createImageBitmap(new Blob([bytes]), { colorSpaceConversion: 'none' });
  } catch (error) {
    throw new GlnnError('GLNN_E_FORMAT', `${name}: the browser cannot read this as a picture: ${error.message}`);
  }
}

// The bytes of red, green, blue and 255 of each pixel.
function pixelsOf(picture, name) {
  const { width, height } = picture;
  if (width > mostSide || height > mostSide || width * height > mostPixels)
    throw new GlnnError('GLNN_E_LIMIT', `${name}: ${width} x ${height} pixels; at most ${mostSide} x ` +
      `${mostSide} and ${mostPixels} in all can be read`);
  const pen = new OffscreenCanvas(width, height).getContext('2d', { alpha: false });
  pen.drawImage(picture, 0, 0);
  return pen.getImageData(0, 0, width, height).data;
}

/** Reads a picture in a format of the browser, such as PNG, as glnn_image_read() does: numbers from
 * 0 to 1, transparent pixels blended with black, 1 channel of grey or 3 of colours. */
export async function readImage(source, { channels = 1 } = {}) {
  const name = nameOf(source, 'picture');
  if (channels !== 1 && channels !== 3)
    throw new GlnnError('GLNN_E_ARG', `readImage: channels is ${channels}, but has to be 1 or 3`);
  const picture = await decode(source, name);
  try {
    const { width, height } = picture, bytes = pixelsOf(picture, name), count = width * height;
    const value = channels === 1
      ? place => (299 * bytes[place] + 587 * bytes[place + 1] + 114 * bytes[place + 2]) / 255000
      : (place, channel) => bytes[place + channel] / 255;
    const pixels = Float32Array.from({ length: channels * count }, (_, i) =>
      value(4 * (i % count), Math.floor(i / count)));
    return { shape: { channels, height, width }, pixels };
  } finally {
    picture.close();
  }
}

// ---- Arrays and tables, by the functions of C

async function readBy(native, name, source, other, ...args) {
  const called = nameOf(source, other), bytes = await readBytes(source, called);
  return withFile(native, bytes, called, path => native.call(name, [path, ...args]));
}

/** Reads an array in the format IDX. */
export async function readIdx(native, source) {
  const { type, shape, dimensions, data } = await readBy(native, 'glnn_idx_read', source, 'array.idx');
  return { type, shape: shape.slice(0, dimensions), data };
}

/** Reads a table. */
export function readCsv(native, source, desc) {
  return readBy(native, 'glnn_csv_read', source, 'table.csv', desc);
}
