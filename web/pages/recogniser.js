// A network that reads digits and learns from its mistakes.
import { generatedDigits, side } from './digits.js';

// A lesson has samples, of which at first the least number are the newest drawing. If the network
// does not learn it, the next lesson has twice as many of it. Of the others one half are drawings
// that were taught before. The other half are generated digits with the classes that the network
// gave them when it was loaded, so that it does not forget what it can (Robins 1995).
const samples = 128, batch = 32, leastNew = 8, mostNew = 64, epochs = 8;
const mostTaught = 100, generated = 500;

const scaled = bytes => Float32Array.from(bytes, byte => byte / 255);
const greatest = numbers => numbers.indexOf(Math.max(...numbers));
const any = list => list[Math.floor(Math.random() * list.length)];

export class Recogniser {
  isReady = false;
  #context;
  #events;
  #bytes;
  #known = [];
  #taught = [];

  /** `events` has the functions lost() and restored(). */
  constructor(library, events) {
    this.#events = events;
    this.#context = library.context();
    this.#context.addEventListener('lost', () => this.#lose());
    this.#context.addEventListener('restored', () => this.#restore());
  }

  /** Takes the network of a file. */
  async load(bytes, name) {
    const network = this.#context.load(bytes);
    try {
      this.#check(network, name);
    } catch (error) {
      network.destroy();
      throw error;
    }
    this.network?.destroy();
    Object.assign(this, { network, name });
    this.#bytes = bytes;
    await this.#recall();
    this.isReady = true;
  }

  #check(network, name) {
    const features = network.getFeatures(), classes = network.getOutputs();
    if (features !== side * side || classes !== 10)
      throw new Error(`${name}: the network has ${features} inputs and ${classes} outputs, but one ` +
        `that reads digits has ${side * side} and 10.`);
  }

  // Finds out what the network makes of generated digits.
  async #recall() {
    const { training } = generatedDigits(generated, 1), inputs = scaled(training.inputs), size = side * side;
    const outputs = await this.network.predictAsync(inputs);
    this.#known = Array.from({ length: generated }, (_, i) => ({
      pixels: inputs.subarray(i * size, (i + 1) * size),
      digit: greatest(outputs.subarray(i * 10, (i + 1) * 10)) }));
  }

  #lose() {
    this.isReady = false;
    this.#events.lost();
  }

  async #restore() {
    if (this.#bytes)
      await this.load(this.#bytes, this.name);
    this.#events.restored();
  }

  /** The probabilities of the ten digits for 28 x 28 bytes. */
  read(pixels) {
    return this.network.predictAsync(scaled(pixels));
  }

  save() {
    return this.network.save();
  }

  // ---- Lessons

  #lesson(newest) {
    const earlier = this.#taught.slice(0, -1), latest = this.#taught.at(-1);
    const chosen = Array.from({ length: samples }, (_, i) => i < newest ? latest
      : i % 2 === 0 || !earlier.length ? any(this.#known) : any(earlier));
    const inputs = new Float32Array(samples * side * side);
    chosen.forEach(({ pixels }, i) => inputs.set(pixels, i * side * side));
    return this.network.context.dataset({ samples, features: side * side, inputs, classes: 10,
      labels: Int32Array.from(chosen, ({ digit }) => digit) });
  }

  // A fraction of the rates of a first training, at which one lesson would cost much of the accuracy.
  #rate() {
    const { kind, momentum } = this.network.getDesc().optimizer;
    return ['adam', 'rmsprop'].includes(kind) ? 0.0001 : 0.02 * (1 - momentum);
  }

  async #learn(newest) {
    const data = this.#lesson(newest);
    try {
      await this.network.train(data, { epochs, batch, schedule: { rate: this.#rate() } });
    } finally {
      data.destroy();
    }
  }

  /** Learns that a drawing is a digit. Resolves with true if it is read so afterwards. */
  async teach(pixels, digit) {
    this.#taught = [...this.#taught, { pixels: scaled(pixels), digit }].slice(-mostTaught);
    for (let newest = leastNew; newest <= mostNew; newest *= 2) {
      await this.#learn(newest);
      this.#bytes = this.save();
      if (greatest(await this.read(pixels)) === digit)
        return true;
    }
    return false;
  }
}
