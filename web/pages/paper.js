// A paper to draw on with mouse, pen, finger or keys. A point is [x, y], from 0 to 1.

const penWidth = 0.075, keyStep = 0.04;

export class Paper {
  strokes = [];
  #canvas;
  #changed;
  #pointer = null; // the number of the one that draws
  #cursor = [0.5, 0.2];
  #isPenDown = false; // of the keys

  constructor(canvas, changed) {
    this.#canvas = canvas;
    this.#changed = changed;
    canvas.addEventListener('pointerdown', event => this.#press(event));
    canvas.addEventListener('pointermove', event => this.#move(event));
    for (const type of ['pointerup', 'pointercancel'])
      canvas.addEventListener(type, event => this.#release(event));
    canvas.addEventListener('keydown', event => this.#key(event));
    canvas.addEventListener('focus', () => this.show());
    canvas.addEventListener('blur', () => {
      this.#isPenDown = false;
      this.show();
    });
    new ResizeObserver(() => this.show()).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.show());
  }

  get isEmpty() {
    return this.strokes.length === 0;
  }

  clear() {
    this.strokes = [];
    this.#isPenDown = false;
    this.#update();
  }

  undo() {
    this.strokes.pop();
    this.#isPenDown = false;
    this.#update();
  }

  #update() {
    this.show();
    this.#changed(this);
  }

  // ---- Pointers

  #place(event) {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    return [(event.clientX - left) / width, (event.clientY - top) / height];
  }

  #press(event) {
    if (this.#pointer !== null || event.button !== 0)
      return;
    this.#pointer = event.pointerId;
    this.#canvas.setPointerCapture(event.pointerId);
    this.#isPenDown = false;
    this.strokes.push([this.#place(event)]);
    this.#update();
  }

  #move(event) {
    if (event.pointerId !== this.#pointer)
      return;
    const all = event.getCoalescedEvents?.() ?? [];
    this.strokes.at(-1)?.push(...(all.length ? all : [event]).map(each => this.#place(each)));
    this.#update();
  }

  #release(event) {
    if (event.pointerId === this.#pointer)
      this.#pointer = null;
  }

  // ---- Keys

  #key(event) {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const move = moves[event.key];
    if (!move && event.key !== ' ')
      return;
    event.preventDefault();
    if (move)
      this.#cursor = this.#cursor.map((at, i) => Math.min(1, Math.max(0, at + keyStep * move[i])));
    else
      this.#isPenDown = !this.#isPenDown;
    if (!move && this.#isPenDown)
      this.strokes.push([]);
    if (this.#isPenDown)
      this.strokes.at(-1).push(this.#cursor);
    this.#isPenDown ? this.#update() : this.show();
  }

  // ---- The picture

  show() {
    const canvas = this.#canvas, side = Math.round(canvas.clientWidth * devicePixelRatio);
    if (canvas.width !== side)
      canvas.width = canvas.height = side;
    const picture = canvas.getContext('2d');
    Object.assign(picture, { lineWidth: penWidth * side, lineCap: 'round', lineJoin: 'round',
      strokeStyle: getComputedStyle(canvas).color });
    picture.clearRect(0, 0, side, side);
    for (const stroke of this.strokes) {
      picture.beginPath();
      picture.moveTo(...stroke[0].map(at => at * side));
      stroke.forEach(point => picture.lineTo(...point.map(at => at * side)));
      picture.stroke();
    }
    if (canvas.matches(':focus-visible'))
      this.#showCursor(picture, side);
  }

  #showCursor(picture, side) {
    picture.beginPath();
    picture.lineWidth = 2 * devicePixelRatio;
    picture.arc(...this.#cursor.map(at => at * side), penWidth * side / 2, 0, 2 * Math.PI);
    this.#isPenDown ? picture.fill() : picture.stroke();
  }
}
