import { deflateSync } from 'node:zlib';

/** A PNG file of pixels of red, green, blue and alpha, with rows that no filter has changed. */
export function png(width, height, pixels) {
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
