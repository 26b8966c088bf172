// A training that goes on within the frames of a page: a context of the library with a data set, a
// network and a trainer. When the browser has taken the context away and gives it back, training goes
// on from the latest checkpoint.
import { columnTitle, fromTable } from './table.js';

const reportEvery = 16;        // batches
const checkpointEvery = 5000;  // milliseconds
const manyEpochs = 1000000;    // the user ends training
const mostPoints = 400;        // of a curve

// The first weights of small networks are so small that pictures soon show what was learnt.
const firstWeights = 0.03;

const floats = inputs =>
  inputs instanceof Uint8Array ? Float32Array.from(inputs, byte => byte / 255) : inputs;

/** The description of a network in the library for the layers of the page. */
export function describe(layers, data, { optimizer, seed }) {
  const described = [];
  let isImage = false; // the output of the layer before
  for (const layer of layers) {
    const { kind, units, activation, kernel, rate } = layer;
    if (kind === 'dense' && isImage)
      described.push({ kind: 'flatten' });
    isImage = kind === 'dense' ? false : kind === 'dropout' ? isImage : true;
    described.push({ kind, ...units && { units, activation }, ...rate && { rate },
      ...kernel && { kernel: { height: kernel, width: kernel } } });
  }
  if (isImage)
    described.push({ kind: 'flatten' });
  described.push({ kind: 'dense', units: outputsOf(data) });
  return { features: data.features, ...data.shape && { shape: data.shape }, layers: described, seed,
    ...isPlain(layers) && { init: 'uniform', initRange: firstWeights },
    loss: data.classNames ? 'cross_entropy' : 'squared',
    optimizer: { kind: optimizer, ...optimizer === 'sgd' && { momentum: 0.9 } } };
}

const isPlain = layers => layers.length <= 2 && layers.every(({ kind }) => kind === 'dense');

const outputsOf = data => data.classNames?.length ?? 1;

/** The layers of the page for those of a network. */
export function layersOf(network) {
  const { layers, layerCount } = network.getDesc();
  const known = ['dense', 'convolution', 'max_pool', 'average_pool', 'dropout'];
  return layers.slice(0, layerCount - 1).filter(({ kind }) => kind !== 'flatten').map(layer => {
    if (!known.includes(layer.kind))
      throw new Error(`The network has a layer "${layer.kind}", which this page does not know.`);
    const { kind, units, activation, kernel, rate } = layer;
    return { kind, ...units && { units, activation }, ...rate && { rate },
      ...kernel.height && { kernel: kernel.height } };
  });
}

// Halves the points of a curve when there are many.
function add(points, point) {
  points.push(point);
  if (points.length > mostPoints)
    points.splice(0, points.length, ...points.filter((_, i) => i % 2 === 0));
}

export class Training {
  state = 'empty'; // or ready, prepares, trains, lost
  settings = { batch: 128, rate: 0.05, optimizer: 'sgd', milliseconds: 8, seed: 1 };
  layers = [];
  #events;
  #running = null;
  #wantsPause = true;
  #sets = [];
  #saved = null; // the latest checkpoint, with the curves at that time
  #epochs = 0;   // of which the curves have the reports

  /** `events` has the functions changed(), frame() and failed(error), which the page gives. */
  constructor(library, events) {
    this.#events = events;
    this.library = library;
    this.context = library.context();
    this.context.addEventListener('lost', () => this.#lose());
    this.context.addEventListener('restored', () => this.#restore());
  }

  // ---- The context

  /** Gives everything back. */
  async close() {
    await this.pause();
    this.#forget();
    this.context.destroy();
  }

  #forget() {
    this.#sets = [];
    this.trainer = this.network = null;
  }

  #lose() {
    this.#set('lost');
    this.#forget();
  }

  async #restore() {
    await this.#running;
    try {
      this.#begin();
    } catch (error) {
      this.#events.failed(error);
      return;
    }
    this.#set(this.data ? 'ready' : 'empty');
    if (!this.#wantsPause)
      this.start();
  }

  #begin() {
    if (!this.data)
      return;
    this.#upload();
    this.#create(this.#saved?.points);
    if (this.#saved)
      this.trainer.loadCheckpoint(this.#saved.bytes);
  }

  #set(state) {
    this.state = state;
    this.#events.changed(this);
  }

  /** The browser has taken the context away; its event may follow. */
  get isLost() {
    return this.state === 'lost' || this.context.isLost;
  }

  // ---- Data and network

  #dataset({ count, inputs, labels, targets }) {
    const { features } = this.data;
    return this.context.dataset({ samples: count, features, inputs: floats(inputs),
      ...labels ? { labels, classes: outputsOf(this.data) } : { targets, outputs: 1 } });
  }

  #upload() {
    this.#sets.forEach(set => set.destroy());
    this.#sets = [this.data.training, this.data.test].map(part => this.#dataset(part));
  }

  async setData(data) {
    await this.pause();
    this.#destroyNetwork();
    this.data = data;
    this.#upload();
    return this.reset();
  }

  #destroyNetwork() {
    this.trainer?.destroy();
    this.network?.destroy();
    this.trainer = this.network = null;
    this.#saved = null;
  }

  #create(points) {
    this.network = this.context.network(describe(this.layers, this.data, this.settings));
    this.network.setPreparation(this.data.preparation);
    this.#createTrainer(points);
  }

  #createTrainer(points) {
    const { batch, rate } = this.settings, [data, validation] = this.#sets;
    this.trainer = this.network.trainer(data, { epochs: manyEpochs, batch, schedule: { rate },
      validation, seed: this.settings.seed, reportEvery });
    this.points = points ?? { training: [], test: [] };
    this.last = { epoch: 0, batch: 0 };
    this.#epochs = 0;
    this.speed = this.passes = 0;
  }

  /** Makes a new network with random weights. */
  async reset() {
    await this.pause();
    this.#destroyNetwork();
    this.#set('empty');
    this.#create();
    this.#set('ready');
  }

  /** Changes the batch; the network goes on. */
  async setBatch(batch) {
    const goesOn = this.state === 'trains';
    await this.pause();
    this.settings.batch = batch;
    if (!this.network)
      return;
    this.trainer.destroy();
    this.#saved = null;
    this.#createTrainer();
    this.#events.changed(this);
    if (goesOn)
      this.start();
  }

  setRate(rate) {
    this.settings.rate = rate;
    this.trainer?.setLearningRate(rate);
  }

  // ---- Steps

  async start() {
    if (this.#running || !this.trainer || this.state === 'lost')
      return;
    this.#wantsPause = false;
    this.#set('prepares');
    this.#measured = [performance.now(), this.trainer.getResult().steps];
    this.#running = this.#run();
    await this.#running;
  }

  async #run() {
    let failure = null;
    try {
      await this.trainer.run({ milliseconds: this.settings.milliseconds, checkpointEvery,
        onWarmUp: progress => this.#warm(progress), onFrame: () => this.#frame() });
    } catch (error) {
      failure = error;
    }
    this.#running = null;
    if (this.isLost)
      return;
    this.#set('ready');
    if (failure) {
      this.#wantsPause = true;
      this.#events.failed(failure);
    }
  }

  #warm(progress) {
    this.progress = progress;
    if (progress === 1 && this.state === 'prepares')
      this.#set('trains');
  }

  #frame() {
    if (this.isLost)
      return false;
    this.#collect();
    this.#measure();
    if (this.trainer.checkpoint !== (this.#saved?.bytes ?? null))
      this.#saved = { bytes: this.trainer.checkpoint, points: structuredClone(this.points) };
    this.#events.frame(this);
    return !this.#wantsPause;
  }

  async pause() {
    this.#wantsPause = true;
    await this.#running;
  }

  /** Makes one step. */
  async step() {
    await this.pause();
    if (!this.trainer)
      return;
    const { done, epochEnded } = this.trainer.step(1);
    if (epochEnded)
      this.trainer.endEpoch();
    else
      this.trainer.updateReport();
    this.#collect();
    this.#events.changed(this);
    return done;
  }

  // ---- Results

  #collect() {
    const { test } = this.points, now = this.trainer.getReport();
    for (const report of this.trainer.getReports(this.#epochs)) {
      ++this.#epochs;
      this.#follow(report);
      const { epoch, validation } = report;
      add(test, { epoch, loss: validation.loss, quality: this.qualityOf(validation) });
    }
    if (now.event === 'batch')
      this.#follow(now);
    this.passes = this.trainer.getPassCount() || this.passes;
  }

  // The metrics of a report are means since the start of the epoch. The curves show the mean of the
  // batches since the last report, which follows the training more closely.
  #follow({ epoch, batch, batches, training }) {
    const isNew = epoch !== this.last.epoch;
    const old = isNew ? { batch: 0, loss: 0, quality: 0 } : this.last;
    if (batch <= old.batch || !batches)
      return;
    const { loss } = training, quality = this.qualityOf(training);
    const latest = (mean, before) => (batch * mean - old.batch * before) / (batch - old.batch);
    add(this.points.training, { epoch: epoch - 1 + batch / batches, loss: latest(loss, old.loss),
      quality: latest(quality, old.quality) });
    this.last = { epoch, batch, loss, quality };
  }

  /** The share of right answers, or of the variance that a network of targets explains. */
  qualityOf(metrics) {
    return this.data.classNames ? metrics.accuracy : metrics.rSquared;
  }

  #measured;

  #measure() {
    const now = performance.now(), [then, before] = this.#measured, { steps } = this.trainer.getResult();
    if (now - then < 1000)
      return;
    const batch = Math.min(this.settings.batch, this.data.training.count);
    this.speed = (steps - before) * batch / (now - then) * 1000;
    this.#measured = [now, steps];
  }

  evaluate() {
    const metrics = this.trainer.evaluate(this.#sets[1]);
    return { loss: metrics.loss, quality: this.qualityOf(metrics) };
  }

  // ---- Files

  save() {
    return this.trainer.save();
  }

  /** Takes the network of a file, which has to fit the data. The samples of a table are prepared as
   * the file says. */
  async load(bytes, name) {
    await this.pause();
    const network = this.context.load(bytes), preparation = network.getPreparation();
    let { data, layers } = this;
    try {
      this.#checkTable(preparation, name);
      if (data.table && preparation)
        data = await fromTable(this, data.table, { ...data, leftOut: [], like: preparation });
      this.#check(network, name, data);
      layers = layersOf(network);
    } catch (error) {
      network.destroy();
      throw error;
    }
    this.#destroyNetwork();
    if (data !== this.data) {
      this.data = data;
      this.#upload();
    }
    Object.assign(this, { network, layers });
    this.settings.optimizer = network.getDesc().optimizer.kind;
    this.#createTrainer();
    this.#set('ready');
  }

  #checkTable(preparation, name) {
    if (!preparation?.columns.count || this.data.table)
      return;
    const names = preparation.columns.of.slice(0, preparation.columns.featureColumns).map(columnTitle);
    throw new Error(`${name}: the network has learned from a table. Load a table with its columns first: ` +
      `${names.join(', ')}.`);
  }

  #check(network, name, data) {
    const features = network.getFeatures(), outputs = network.getOutputs();
    if (features !== data.features || outputs !== outputsOf(data))
      throw new Error(`${name}: the network has ${features} inputs and ${outputs} outputs, but the data set ` +
        `"${data.name}" needs ${data.features} and ${outputsOf(data)}.`);
  }
}
