// A small chart with lines: an SVG picture whose colours come from the style sheet.
import { svg } from './elements.js';

const width = 420, height = 200, edge = { left: 46, right: 8, top: 10, bottom: 22 };

// About `count` round numbers from low to high.
function ticks(low, high, count) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(size => size >= rough);
  const numbers = [];
  for (let i = Math.ceil(low / step); i * step <= high * (1 + 1e-9); ++i)
    numbers.push(Number((i * step).toPrecision(6)));
  return numbers;
}

function logTicks(low, high) {
  const multiplesOf = factors => {
    const numbers = [];
    for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10)
      numbers.push(...factors.map(factor => Number((factor * power).toPrecision(6))));
    return numbers.filter(x => x >= low && x <= high);
  };
  const fine = multiplesOf([1, 2, 5]);
  return fine.length > 6 ? multiplesOf([1]) : fine;
}

const textOf = x => Math.abs(x) >= 1000 ? x.toExponential(0) : String(x);

export class Chart {
  #root;
  #isLog;
  #percent;

  /** Lines have the classes of the style sheet `line-NAME`. */
  constructor(container, { label, isLog = false, percent = false }) {
    this.#isLog = isLog;
    this.#percent = percent;
    this.#root = svg('svg',
      { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label, class: 'chart' });
    container.append(this.#root);
  }

  /** Shows lines: an array of [name, points], whose points are [x, y]. */
  show(lines) {
    const points = lines.flatMap(([, all]) => all).filter(([, y]) => Number.isFinite(y));
    const [least, most] = this.#range(points.map(([, y]) => y));
    const end = Math.max(...points.map(([x]) => x), 1e-3);
    const scale = this.#isLog ? Math.log : y => y;
    const room = { x: width - edge.left - edge.right, y: height - edge.top - edge.bottom };
    const placeX = x => edge.left + x / end * room.x;
    const inside = y => Math.min(Math.max(y, least), most);
    const shareBelow = y => (scale(most) - scale(inside(y))) / (scale(most) - scale(least));
    const placeY = y => edge.top + shareBelow(y) * room.y;
    this.#root.replaceChildren(
      ...(this.#isLog ? logTicks(least, most) : ticks(least, most, 4)).flatMap(y => [
        svg('line', { x1: edge.left, x2: width - edge.right, y1: placeY(y), y2: placeY(y),
          class: 'grid' }),
        svg('text', { x: edge.left - 6, y: placeY(y) + 4, 'text-anchor': 'end' },
          this.#percent ? `${Math.round(100 * y)} %` : textOf(y))]),
      ...(points.length ? ticks(0, end, 5) : [0]).map(x =>
        svg('text', { x: placeX(x), y: height - 6, 'text-anchor': 'middle' }, textOf(x))),
      ...lines.flatMap(([name, all]) => this.#line(name, all.filter(([, y]) => Number.isFinite(y))
        .map(([x, y]) => `${placeX(x).toFixed(1)},${placeY(y).toFixed(1)}`))));
  }

  #range(numbers) {
    if (this.#percent)
      return [Math.min(0, ...numbers.map(y => Math.max(y, -1))), 1];
    if (!numbers.length)
      return this.#isLog ? [0.1, 10] : [0, 1];
    const least = Math.max(Math.min(...numbers), this.#isLog ? 1e-6 : 0), most = Math.max(...numbers);
    return this.#isLog ? [least * 0.9, Math.max(most, least * 1.5) * 1.1] : [0, most * 1.05 || 1];
  }

  #line(name, places) {
    const hasMarks = name === 'test' && places.length <= 60;
    const marks = hasMarks ? places.map(place => {
      const [cx, cy] = place.split(',');
      return svg('circle', { cx, cy, r: 2.5, class: `mark-${name}` });
    }) : [];
    return [svg('polyline', { points: places.join(' '), class: `line-${name}` }), ...marks];
  }
}
