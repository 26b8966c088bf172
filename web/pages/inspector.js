// A learner whose training steps are looked into, one after the other. It learns generated digits.
import { generatedDigits } from './digits.js';
import { describe } from './training.js';

const samples = 500;
const manyEpochs = 1000000; // the user ends training
const rates = { network: 0.05, glvq: 0.01 };

/** The networks of which one is chosen: layers of the page, or null where there are prototypes. */
export const networks = {
  dense: { name: 'dense, 784-32-10', layers: [{ kind: 'dense', units: 32, activation: 'relu' }] },
  convolution: { name: 'convolution', layers: [
    { kind: 'convolution', units: 6, kernel: 5, activation: 'relu' }, { kind: 'max_pool', kernel: 2 },
    { kind: 'convolution', units: 12, kernel: 5, activation: 'relu' }, { kind: 'max_pool', kernel: 2 },
    { kind: 'dense', units: 32, activation: 'relu' }] },
  glvq: { name: 'prototypes, GLVQ', layers: null },
};

const nextFrame = () => new Promise(resolve => document.hidden ? setTimeout(resolve) : requestAnimationFrame(resolve));

export class Inspector {
  settings = { network: 'dense', layout: 'tiled', batch: 16 };
  inspection = null;
  steps = 0;
  #events;
  #data = generatedDigits(samples, 1);
  #set;
  #learner;
  #trainer;

  /** `events` has the functions lost(), restored() and compiles(progress), which the page gives. */
  constructor(library, events) {
    this.#events = events;
    this.context = library.context();
    this.context.addEventListener('lost', events.lost);
    this.context.addEventListener('restored', () => {
      this.inspection = this.#trainer = this.#learner = null;
      this.#upload();
      events.restored();
    });
    this.#upload();
  }

  /** The browser has taken the context away. */
  get isLost() {
    return this.context.isLost;
  }

  #upload() {
    const { inputs, labels, count } = this.#data.training;
    this.#set = this.context.dataset({ samples: count, features: this.#data.features, labels, classes: 10,
      inputs: Float32Array.from(inputs, byte => byte / 255) });
  }

  get layers() {
    return this.settings.network === 'glvq' ? null : this.#learner.getDesc().layers.map(({ kind }) => kind);
  }

  #createLearner() {
    const { network, layout } = this.settings, { layers } = networks[network];
    return layers ? this.context.network({ ...describe(layers, this.#data, { optimizer: 'sgd', seed: 1 }), layout })
      : this.context.lvq({ kind: 'glvq', features: this.#data.features, classes: 10, prototypes: 2, layout, seed: 1 });
  }

  /** Makes a new learner. */
  reset() {
    for (const thing of [this.inspection, this.#trainer, this.#learner])
      thing?.destroy();
    this.inspection = this.#trainer = this.#learner = null;
    this.steps = 0;
    this.#learner = this.#createLearner();
    this.#trainer = this.#learner.trainer(this.#set, { epochs: manyEpochs, batch: this.settings.batch, seed: 1,
      schedule: { rate: networks[this.settings.network].layers ? rates.network : rates.glvq } });
  }

  /** Makes the next step and keeps its passes. Returns whether there was nothing newer to do. */
  async step() {
    const trainer = this.#trainer;
    for (let progress = 0; progress < 1;) {
      await nextFrame();
      if (this.#trainer !== trainer || this.isLost)
        return false;
      progress = trainer.warmUp(8);
      this.#events.compiles(progress);
    }
    this.inspection?.destroy();
    this.inspection = null;
    this.inspection = trainer.inspection();
    ++this.steps;
    return true;
  }
}
