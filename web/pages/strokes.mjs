// node web/pages/strokes.mjs strokes.c - prints a module with the ways to write each digit that
// the C file has. A way is a list of points [x, y]; null lifts the pen.
import { readFileSync } from 'node:fs';

const text = readFileSync(process.argv[2], 'utf8').replace(/#define.*\\\n.*|#define.*/g, '');
const ways = [...text.matchAll(/SHAPE\(([^)]*)\)/g)].map(([, points]) =>
  [...points.matchAll(/LIFT|\{(\d+), (\d+)\}/g)].map(([word, x, y]) =>
    word === 'LIFT' ? null : [Number(x), Number(y)]));
const each = ways.length / 10;
const digits = Array.from({ length: 10 }, (_, digit) => ways.slice(digit * each, (digit + 1) * each));
console.log(`export default ${JSON.stringify(digits)};`);
