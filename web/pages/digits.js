// Pictures of digits: generated ones, and those that somebody draws. Both are scaled as in MNIST,
// so that a network that has learnt one kind can read the other.
import shapes from './strokes.js';

export const side = 28;
const box = 20; // the side of the square that a digit fills, as in MNIST

/** Numbers in [0, 1) that depend on a seed alone (mulberry32). */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

// ---- Strokes

// The point at t between b and c on the smooth curve through a, b, c, d (Catmull, Rom 1974).
function curvePoint(a, b, c, d, t) {
  const u = t * t, v = u * t;
  const weights = [-0.5 * v + u - 0.5 * t, 1.5 * v - 2.5 * u + 1, -1.5 * v + 2 * u + 0.5 * t,
    0.5 * v - 0.5 * u];
  return [0, 1].map(i =>
    [a, b, c, d].reduce((sum, point, corner) => sum + weights[corner] * point[i], 0));
}

const isSame = (a, b) => a[0] === b[0] && a[1] === b[1];

// Lines for the points of a way to write a digit, in which a point that is there twice is a corner.
function trace(points) {
  const strokes = [];
  let stroke = null;
  points.forEach((c, i) => {
    const b = points[i - 1];
    if (!c || !b) {
      stroke = null;
      return;
    }
    if (isSame(b, c))
      return;
    if (!stroke)
      strokes.push(stroke = [b]);
    const a = points[i - 2] ?? b, d = points[i + 1] ?? c;
    for (let piece = 1; piece <= 6; ++piece)
      stroke.push(curvePoint(a, b, c, d, piece / 6));
  });
  return strokes;
}

const mapPoints = (strokes, map) => strokes.map(stroke => stroke.map(map));

// Scales strokes so that their larger side is `size`, and puts the centre of their mass at `middle`.
// Nothing grows more than to the size of a drawing that is `least` wide or tall.
function fit(strokes, size, middle, least) {
  const points = strokes.flat();
  const extent = Math.max(...[0, 1].map(i =>
    Math.max(...points.map(point => point[i])) - Math.min(...points.map(point => point[i]))));
  const scale = size / Math.max(extent, least);
  let mass = 0;
  const sums = [0, 0];
  const add = (weight, a, b) => {
    mass += weight;
    sums.forEach((_, i) => sums[i] += weight * (a[i] + b[i]) / 2);
  };
  for (const stroke of strokes) {
    add(1e-6, stroke[0], stroke[0]);
    stroke.slice(1).forEach((b, i) =>
      add(Math.hypot(b[0] - stroke[i][0], b[1] - stroke[i][1]), stroke[i], b));
  }
  return mapPoints(strokes, point => point.map((at, i) => scale * (at - sums[i] / mass) + middle[i]));
}

const pad = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true });

/** The pixels of strokes, 0 to 255, as a network reads them. */
export function rasterise(strokes, options = {}) {
  const { radius = 1.25, share = 0.95, shift = [0, 0], least = 0, ink = 255 } = options;
  pad.fillStyle = 'black';
  pad.fillRect(0, 0, side, side);
  Object.assign(pad, { lineWidth: 2 * radius, lineCap: 'round', lineJoin: 'round',
    strokeStyle: `rgb(${ink},${ink},${ink})` });
  const fitted = fit(strokes, share * (box - 2 * radius), shift.map(at => side / 2 + at), least);
  for (const [first, ...rest] of fitted) {
    pad.beginPath();
    pad.moveTo(...first);
    [first, ...rest].forEach(point => pad.lineTo(...point));
    pad.stroke();
  }
  const { data } = pad.getImageData(0, 0, side, side);
  return Uint8Array.from({ length: side * side }, (_, i) => data[4 * i]);
}

// ---- Generated digits, as examples/common/digits.c draws them

function generate(digit, random) {
  const uniform = (low, high) => low + (high - low) * random();
  const normal = () => uniform(-1, 1) + uniform(-1, 1) + uniform(-1, 1);
  const way = shapes[digit][Math.floor(random() * shapes[digit].length)];
  const strength = uniform(1, 4.5);
  const moved = [];
  way.forEach((point, i) => moved.push(!point ? null
    : i && way[i - 1] && isSame(point, way[i - 1]) ? moved[i - 1]
      : point.map(at => at + strength * normal())));
  const angle = 0.11 * normal(), isOne = digit === 1;
  const slant = 0.08 + 0.14 * normal() + (isOne ? 0.12 * normal() : 0);
  // The width of a one cannot vary, so it leans more than the others.
  const squeeze = isOne ? 0.8 : 0.82 + 0.11 * normal();
  const warp = point => {
    if (!point)
      return null;
    const y = point[1] - 50, x = squeeze * (point[0] - 50) - slant * y;
    return [Math.cos(angle) * x - Math.sin(angle) * y, Math.sin(angle) * x + Math.cos(angle) * y];
  };
  return rasterise(trace(moved.map(warp)), { radius: 1.25 + 0.28 * normal(),
    share: uniform(0.84, 1), shift: [0.5 * normal(), 0.5 * normal()],
    ink: Math.round(uniform(215, 255)) });
}

function part(count, seed) {
  const random = randomNumbers(seed);
  const inputs = new Uint8Array(count * side * side), labels = new Int32Array(count);
  for (let i = 0; i < count; ++i) {
    labels[i] = Math.floor(random() * 10);
    inputs.set(generate(labels[i], random), i * side * side);
  }
  return { count, inputs, labels };
}

export const digitNames = Array.from({ length: 10 }, (_, digit) => String(digit));

/** Class names of a data set of pictures, also as the preparation of a network has them. */
export const withClasses = (features, classNames) =>
  ({ classNames, preparation: { columns: { features, classes: classNames.length, classNames } } });

/** A small data set, so that pages work without files. */
export function generatedDigits(training = 4000, test = 1000) {
  return { name: 'generated digits', features: side * side,
    shape: { channels: 1, height: side, width: side }, ...withClasses(side * side, digitNames),
    training: part(training, 1), test: part(test, 2) };
}
