// A picture of a whole matrix, on which elements are marked.
import { html } from './elements.js';

const mostPixels = 1024;            // of a side of the picture
const mostHeight = 320, mostWidth = 520, leastSide = 56, largestElement = 20; // in CSS pixels
const markColour = [245, 158, 11], veil = 0.66;

// Elements with a count above 0, as runs of equal counts in a row.
function* runsOf(counts, rows, columns) {
  for (let row = 0; row < rows; ++row)
    for (let column = 0, end; column < columns; column = end) {
      const count = counts[row * columns + column];
      for (end = column + 1; end < columns && counts[row * columns + end] === count;)
        ++end;
      if (count > 0)
        yield { row, column, width: end - column, count };
    }
}

export class Sheet {
  counts = null; // of fetches of an operand, row after row
  block = null;  // of the output
  element = null;
  #picture = html('canvas', { 'aria-hidden': 'true' });
  #marks = html('canvas');
  #frame = html('div', { class: 'sheet' }, this.#picture, this.#marks);
  note = html('div', { class: 'note' });

  /** `operand` is its number, or -1; `kind` is "operand", "written" or "other". Only the first rows
   * are shown: `rows` of them. */
  constructor(matrix, name, operand, kind, rows = matrix.rows) {
    Object.assign(this, { matrix, name, operand, kind, rows, columns: matrix.columns });
    const size = `${matrix.rows} x ${this.columns}, ${matrix.getLayout()}${rows < matrix.rows ? `, the first ${rows} rows` : ''}`;
    this.figure = html('figure', {}, html('figcaption', {}, html('b', { class: kind }, name), ` ${matrix.getName()}`,
      html('small', {}, size)), this.#frame, this.note);
    this.#marks.setAttribute('role', 'img');
    this.#marks.setAttribute('aria-label', `${name}: ${matrix.getName()}, ${size}`);
  }

  /** Lets keys and pointers choose an element of this matrix. */
  listen(choose) {
    const frame = this.#frame;
    frame.classList.add('target');
    frame.tabIndex = 0;
    frame.setAttribute('role', 'application');
    frame.setAttribute('aria-label', `${this.name}. Arrow keys choose an element.`);
    const point = event => choose(this.#elementAt(event));
    frame.addEventListener('pointermove', point);
    frame.addEventListener('pointerdown', point);
    frame.addEventListener('keydown', event => {
      const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      if (!move || event.ctrlKey || event.metaKey || event.altKey)
        return;
      event.preventDefault();
      event.stopPropagation();
      const { row, column } = this.element ?? { row: -move[0], column: -move[1] };
      choose(this.#within({ row: row + move[0], column: column + move[1] }));
    });
  }

  #within({ row, column }) {
    return { row: Math.min(Math.max(row, 0), this.rows - 1), column: Math.min(Math.max(column, 0), this.columns - 1) };
  }

  #elementAt(event) {
    const { left, top, width, height } = this.#marks.getBoundingClientRect();
    return this.#within({ row: Math.floor((event.clientY - top) / height * this.rows),
      column: Math.floor((event.clientX - left) / width * this.columns) });
  }

  /** Gives the picture its size where there is room for some width. */
  place(room) {
    const scale = Math.min(Math.min(room, mostWidth) / this.columns, mostHeight / this.rows, largestElement);
    const [width, height] = [this.columns, this.rows].map(count => Math.round(Math.max(count * scale, leastSide)));
    Object.assign(this.#frame.style, { width: `${width}px`, height: `${height}px` });
    this.#frame.classList.toggle('large', scale >= 1);
    Object.assign(this.#marks, { width: width * devicePixelRatio, height: height * devicePixelRatio });
    this.mark();
  }

  /** Draws the matrix as it is now. Few elements have several pixels each, so that none are blurred. */
  draw(context) {
    const pixels = count => count < leastSide ? count * Math.ceil(leastSide / count) : Math.min(count, mostPixels);
    Object.assign(this.#picture, { width: pixels(this.columns), height: pixels(this.rows) });
    context.draw(this.matrix, this.#picture,
      this.rows < this.matrix.rows ? { width: this.columns, height: 1, across: 1, gap: 0, count: this.rows } : {});
  }

  mark() {
    const { width, height } = this.#marks, paint = this.#marks.getContext('2d');
    paint.clearRect(0, 0, width, height);
    if (this.counts)
      this.#markFetched(paint, [width / this.columns, height / this.rows]);
    if (this.block)
      this.#markBlock(paint, [width / this.columns, height / this.rows]);
  }

  // What was not fetched is veiled. Marks are at least two pixels wide and tall.
  #markFetched(paint, [wide, tall]) {
    const { width, height } = paint.canvas, least = 2;
    paint.globalAlpha = veil;
    paint.fillStyle = getComputedStyle(this.figure).getPropertyValue('--panel');
    paint.fillRect(0, 0, width, height);
    paint.globalAlpha = 1;
    const most = this.counts.reduce((a, b) => Math.max(a, b), 1);
    for (const { row, column, width: count, count: fetches } of runsOf(this.counts, this.rows, this.columns)) {
      const place = [column * wide, row * tall, Math.max(count * wide, least), Math.max(tall, least)];
      paint.clearRect(...place);
      paint.fillStyle = `rgba(${markColour}, ${0.2 + 0.5 * fetches / most})`;
      paint.fillRect(...place);
    }
  }

  // Outlines the block, and the element in it. A small one gets a frame that can be seen.
  #markBlock(paint, [wide, tall]) {
    const { block, element } = this, line = 2 * devicePixelRatio, least = 4 * line;
    const outline = ({ row, column, rows = 1, columns = 1 }, colour, grow) => {
      const [width, height] = [Math.max(columns * wide, least) + 2 * grow, Math.max(rows * tall, least) + 2 * grow];
      const [x, y] = [(column + columns / 2) * wide - width / 2, (row + rows / 2) * tall - height / 2];
      Object.assign(paint, { strokeStyle: colour, lineWidth: line });
      paint.strokeRect(x, y, width, height);
    };
    outline(block, 'white', line);
    outline(block, 'black', 0);
    if (Math.min(wide, tall) >= least)
      outline(element, `rgb(${markColour})`, -line / 2);
  }
}
