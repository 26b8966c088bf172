// libglnn in JavaScript: contexts, matrices, data sets, learners and trainers.
import createModule from './glnn-wasm.js';
import { Painter } from './draw.js';
import { readBytes, readCsv, readIdx, readImage, withFile, written } from './files.js';
import { ContextHandle, Handle } from './handles.js';
import { functions } from './interface.js';
import { GlnnError, Native, Source, withScope } from './native.js';
import { tableFunctions } from './tables.js';
import { createGl, nameOfObject } from './webgl.js';

export { GlnnError, readBytes, readImage };

// ---- Objects

const registry = new FinalizationRegistry(handle => handle.release());

/** What all objects that belong to a context have in common. */
class Thing {
  constructor(context, handle) {
    Object.defineProperties(this, { context: { value: context }, handle: { value: handle } });
    if (handle.destroy)
      registry.register(this, handle, handle);
  }

  destroy() {
    if (!this.handle.destroy)
      throw new GlnnError('GLNN_E_STATE', `the ${nameOf(this)} belongs to another object`);
    registry.unregister(this.handle);
    this.handle.release();
  }
}

// Calls a function of C for an object, to which handles belong that it returns. The context can be
// lost during the call, whose results then mean nothing.
function call(owner, name, ...args) {
  const { handle } = owner.context;
  try {
    return handle.native.call(name, args, owner);
  } finally {
    handle.refuseIfLost();
  }
}

const nameOf = thing => thing.constructor.name.toLowerCase();

// The pointer of an object or of a handle. The library works in the context that is current. Only
// handles are of use in a context that is lost: to destroy them.
function pointerOf(Type) {
  return value => {
    if (!(value instanceof Type || value instanceof Handle))
      return undefined;
    const handle = value.handle ?? value;
    const { contextHandle } = handle;
    if (!contextHandle.handles)
      throw new GlnnError('GLNN_E_STATE', `the context of the ${nameOf(value)} was destroyed`);
    if (value instanceof Type)
      contextHandle.refuseIfLost();
    if (!handle.pointer || !handle.isValid())
      throw new GlnnError('GLNN_E_STATE', `the ${nameOf(value)} was ` +
        (handle.isLost ? 'lost when the browser took the context away' : 'destroyed'));
    contextHandle.enter();
    if (value instanceof Type)
      contextHandle.recording?.push(value);
    return handle.pointer;
  };
}

function pointerOfContext(value) {
  const handle = value instanceof Context ? value.handle : value;
  if (!handle?.handles)
    throw new GlnnError('GLNN_E_STATE', 'the context was destroyed');
  if (value instanceof Context)
    handle.refuseIfLost();
  handle.enter();
  return handle.pointer;
}

const isShown = () => typeof document !== 'undefined' && !document.hidden;

// Resolves when the browser has had time for other things, such as news of the GPU.
function nextTask() {
  return new Promise(resolve => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

// Resolves after some milliseconds, in which the GPU can use the processor.
const aMoment = () => new Promise(resolve => setTimeout(resolve));

const frameTime = 16; // milliseconds

// Resolves when the page is about to draw, or soon if nothing is shown: a page that is hidden
// draws no frames, also if it becomes hidden while it waits for one.
function nextFrame() {
  if (!isShown())
    return nextTask();
  return new Promise(resolve => {
    const done = () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('visibilitychange', done);
      resolve();
    };
    const frame = requestAnimationFrame(done);
    document.addEventListener('visibilitychange', done);
  });
}

// ---- Matrices

export class Matrix extends Thing {
  get rows() { return this.getRows(); }
  get columns() { return this.getColumns(); }

  #rectangle(rect) {
    return rect ? { row: 0, column: 0, ...rect }
      : { row: 0, column: 0, rows: this.getRows(), columns: this.getColumns() };
  }

  upload(data, rect) {
    const { native } = this.context.handle;
    const place = this.#rectangle(rect);
    withScope(native, scope => call(this, 'glnn_matrix_upload', this.context, this, place,
      native.array('float', data, place.rows * place.columns, scope, 'upload: data'), 0));
  }

  #numbers(rect, read) {
    const { native } = this.context.handle;
    const place = this.#rectangle(rect);
    return withScope(native, scope => {
      const pointer = native.room('float', place.rows * place.columns, scope);
      read(place, pointer);
      return native.numbers('float', pointer, place.rows * place.columns);
    });
  }

  download(rect) {
    return this.#numbers(rect, (place, pointer) =>
      call(this, 'glnn_matrix_download', this.context, this, place, pointer, 0));
  }

  async downloadAsync(rect) {
    const place = this.#rectangle(rect);
    const download = call(this, 'glnn_download_begin', this.context, this, place);
    while (!download.isReady())
      await nextTask();
    return this.#numbers(place, (_, pointer) => download.end(pointer));
  }

  getTexture() {
    const info = call(this, 'glnn_matrix_get_texture', this);
    return { ...info, texture: this.context.handle.native.module.GL.textures[info.texture] };
  }
}

class Download extends Thing {
  isReady() {
    return call(this, 'glnn_download_is_ready', this);
  }

  // The function of C frees the handle.
  end(pointer) {
    try {
      call(this, 'glnn_download_end', this, pointer, 0);
    } finally {
      registry.unregister(this.handle);
      this.handle.forget();
    }
  }
}

// ---- Lists and kernels

export class List extends Thing {}

export class Kernel extends Thing {}

// ---- Data sets

export class Dataset extends Thing {}

// A data set that reads its inputs: by a function of the page, or from its array, where they stay.
function createReading(context, desc) {
  const { native } = context.handle, { samples, features, targets, outputs } = desc;
  const source = new Source(native, features, desc.read ?? rowsOf(native, desc));
  source.enter();
  try {
    const data = call(context, 'glnn_dataset_create', context, { ...desc, read: source, user: source,
      buffers: 1, // they fill one after the other
      inputs: desc.read ? desc.inputs : null,
      targets: targets && source.copy('float', targets, samples * outputs, 'dataset: targets') });
    data.handle.share([source]);
    return data;
  } finally {
    source.leave();
  }
}

function rowsOf(native, { samples, features, inputs }) {
  native.checkLength(inputs, samples * features, 'dataset: inputs');
  const row = inputs.subarray ? i => inputs.subarray(i * features, (i + 1) * features)
    : i => Array.prototype.slice.call(inputs, i * features, (i + 1) * features);
  return (numbers, rows) => numbers.forEach((number, i) => rows.set(row(number), i * features));
}

// ---- Learners

// The class of the result of glnn_learner_get_kind().
const kinds = {};

export class Learner extends Thing {
  evaluate(data, { confusion = false } = {}) {
    const { native } = this.context.handle;
    const classes = this.getOutputs();
    return withScope(native, scope => {
      const counts = confusion ? native.room('int64_t', classes * classes, scope) : 0;
      const metrics = call(this, 'glnn_learner_evaluate', this, data, counts);
      return confusion
        ? { ...metrics, confusion: Float64Array.from(native.numbers('int64_t', counts, classes * classes), Number) }
        : metrics;
    });
  }

  predict(inputs) {
    const { native } = this.context.handle;
    const samples = Math.floor(inputs.length / this.getFeatures());
    const count = samples * this.getOutputs();
    return withScope(native, scope => {
      const outputs = native.room('float', count, scope);
      const classes = native.room('int', samples, scope);
      call(this, 'glnn_learner_predict', this, samples,
        native.array('float', inputs, samples * this.getFeatures(), scope, 'predict: inputs'),
        outputs, classes);
      return { outputs: native.numbers('float', outputs, count),
        classes: native.numbers('int', classes, samples) };
    });
  }

  /** What predictMatrix() gives, without blocking the page. */
  async predictAsync(inputs) {
    const rows = Math.floor(inputs.length / this.getFeatures());
    const isContinuous = this instanceof Network || this instanceof Svm;
    const samples = this.context.matrix({ rows, columns: this.getFeatures(), data: inputs });
    const predictions = this.context.matrix({ rows, columns: isContinuous ? this.getOutputs() : 1 });
    try {
      this.predictMatrix(samples, predictions);
      return await predictions.downloadAsync();
    } finally {
      samples.destroy();
      predictions.destroy();
    }
  }

  findNearest(inputs, k = 1) {
    const { native } = this.context.handle;
    const samples = Math.floor(inputs.length / this.getFeatures());
    return withScope(native, scope => {
      const prototypes = native.room('int', samples * k, scope);
      const distances = native.room('float', samples * k, scope);
      call(this, 'glnn_learner_find_nearest', this, samples,
        native.array('float', inputs, samples * this.getFeatures(), scope, 'findNearest: inputs'),
        k, prototypes, distances);
      return { prototypes: native.numbers('int', prototypes, samples * k),
        distances: native.numbers('float', distances, samples * k) };
    });
  }

  /** The names, roles and shapes of all tensors. */
  getTensors() {
    return Array.from({ length: this.getTensorCount() }, (_, i) => this.getTensorInfo(i));
  }

  getTensorInfo(number) {
    return shaped(call(this, 'glnn_learner_get_tensor_info', this, number));
  }

  findTensor(name) {
    return shaped(call(this, 'glnn_learner_find_tensor', this, name));
  }

  getTensor(name) {
    const { native } = this.context.handle;
    const { count } = this.findTensor(name);
    return withScope(native, scope => {
      const pointer = native.room('float', count, scope);
      call(this, 'glnn_learner_get_tensor', this, name, count, pointer);
      return native.numbers('float', pointer, count);
    });
  }

  setTensor(name, values) {
    const { native } = this.context.handle;
    withScope(native, scope => call(this, 'glnn_learner_set_tensor', this, name, values.length,
      native.array('float', values, values.length, scope, 'setTensor: values')));
  }

  save() {
    return written(this.context.handle.native, 'learner.safetensors',
      path => call(this, 'glnn_learner_save', this, path));
  }

  loadParameters(bytes) {
    withFile(this.context.handle.native, bytes, 'learner.safetensors',
      path => call(this, 'glnn_learner_load_parameters', this, path));
  }

  exportC(name) {
    return text(written(this.context.handle.native, 'learner.c',
      path => call(this, 'glnn_learner_export_c', this, path, name)));
  }

  /** Creates a trainer. It keeps the reports of all epochs. */
  trainer(data, desc = {}) {
    const curve = call(this, 'glnn_curve_create');
    const trainer = call(this, 'glnn_trainer_create', this, data, { ...desc, curve });
    // None of these may be collected before the trainer.
    trainer.uses = { curve, learner: this, data, validation: desc.validation };
    trainer.handle.shareThoseOf(...[data, desc.validation].filter(Boolean).map(({ handle }) => handle));
    return trainer;
  }

  /** Trains without blocking the page. The options are those of Trainer.run(). */
  async train(data, desc, options) {
    const trainer = this.trainer(data, desc);
    try {
      return await trainer.run(options);
    } finally {
      trainer.destroy();
    }
  }
}

const text = bytes => new TextDecoder().decode(bytes);
const shaped = info => ({ ...info, shape: info.shape.slice(0, info.dimensions) });

export class Network extends Learner {
  exportGlsl(name) {
    return text(written(this.context.handle.native, 'network.glsl',
      path => call(this, 'glnn_network_export_glsl', this, path, name)));
  }
}

export class Lvq extends Learner {}
export class Kmeans extends Learner {}
export class Gmm extends Learner {}
export class Svm extends Learner {}

Object.assign(kinds, { network: Network, lvq: Lvq, kmeans: Kmeans, gmm: Gmm, svm: Svm });

// ---- Trainers

class Curve extends Thing {}

export class Trainer extends Thing {
  /** Counts the calls that make matrices of passes invalid. */
  calls = 0;

  #checkpoint = null;

  /** The latest one that was saved or loaded. */
  get checkpoint() {
    return this.#checkpoint;
  }

  /** The reports of the epochs, oldest first, from number `first` on. */
  getReports(first = 0) {
    const { curve } = this.uses;
    const count = curve.getCount();
    return Array.from({ length: Math.max(count - first, 0) }, (_, i) => curve.getReport(first + i));
  }

  step(steps = 0, milliseconds = 0) {
    ++this.calls;
    return call(this, 'glnn_trainer_step', this, steps, milliseconds);
  }

  /** Makes the next step, and keeps what its passes read and write. */
  inspection() {
    ++this.calls;
    return call(this, 'glnn_inspection_create', this);
  }

  evaluate(data) {
    ++this.calls;
    return call(this, 'glnn_trainer_evaluate', this, data, 0);
  }

  save() {
    return written(this.context.handle.native, 'learner.safetensors',
      path => call(this, 'glnn_trainer_save', this, path));
  }

  saveCheckpoint() {
    return this.#checkpoint = written(this.context.handle.native, 'training.checkpoint',
      path => call(this, 'glnn_trainer_save_checkpoint', this, path));
  }

  loadCheckpoint(bytes) {
    ++this.calls;
    withFile(this.context.handle.native, bytes, 'training.checkpoint',
      path => call(this, 'glnn_trainer_load_checkpoint', this, path));
    this.#checkpoint = bytes;
  }

  #warmUpAndTell(milliseconds, onWarmUp) {
    const progress = this.warmUp(milliseconds);
    onWarmUp?.(progress);
    return progress;
  }

  /** Trains to the end in pieces of some milliseconds, and resolves with the result. */
  async run({ milliseconds = 8, perFrame = false, checkpointEvery = Infinity, onWarmUp, onEpoch, onFrame,
    signal } = {}) {
    let progress = 0, epochs = 0, drawn = 0, isBusy = false, isAtEnd = false, saved = performance.now();
    while (!this.isFinished()) {
      await (perFrame ? nextFrame() : isBusy && isShown() ? aMoment() : nextTask());
      signal?.throwIfAborted();
      if (progress < 1)
        progress = this.#warmUpAndTell(milliseconds, onWarmUp);
      else {
        const { done, epochEnded } = this.step(0, milliseconds);
        isBusy = done === 0;
        isAtEnd = epochEnded;
      }
      for (const report of this.getReports(epochs))
        ++epochs, onEpoch?.(report);
      if (progress === 1 && performance.now() - saved >= checkpointEvery) {
        this.saveCheckpoint();
        saved = performance.now();
      }
      if (performance.now() - drawn < frameTime && !this.isFinished())
        continue;
      drawn = performance.now();
      if (onFrame?.(this) === false) {
        if (isAtEnd)
          this.endEpoch(); // so that a step can follow
        break;
      }
    }
    return this.getResult();
  }
}

export class Inspection extends Thing {}

// ---- Contexts

// A context tells "lost" when the browser has taken it away, with all objects, and "restored" when new
// ones can be made.
export class Context extends EventTarget {
  #isHidden; // its canvas is ours alone
  #painter;

  constructor(native, { canvas, gl, ...desc }) {
    super();
    this.#isHidden = !gl && !canvas;
    const told = new WeakRef(this); // the handle must not keep the context
    // A page has no folder that would keep what the library measures.
    const handle = new ContextHandle(native, gl ?? createGl(canvas), !gl,
      { tuning: 'off', ...desc, platform: 'adopt' }, name => told.deref()?.#tell(name));
    Object.defineProperties(this, { context: { value: this }, handle: { value: handle } });
    registry.register(this, handle, handle);
  }

  #tell(name) {
    this.#painter = undefined;
    this.dispatchEvent(new Event(name));
  }

  /** Whether the browser has taken the context away. */
  get isLost() {
    return this.handle.isLost;
  }

  /** Resolves when the context is not lost, or no longer. */
  async untilRestored({ signal } = {}) {
    if (!this.isLost)
      return;
    await new Promise((resolve, reject) => {
      const once = { once: true };
      this.addEventListener('restored', resolve, once);
      this.addEventListener('destroyed',
        () => reject(new GlnnError('GLNN_E_STATE', 'the context was destroyed')), once);
      signal?.addEventListener('abort', () => reject(signal.reason), once);
    });
  }

  /** Trains to the end, also if the browser takes the context away meanwhile: when it is back,
   * `create` makes the trainer again, which goes on from the latest checkpoint. */
  async train(create, { checkpointEvery = 5000, ...options } = {}) {
    for (let checkpoint = null; ;) {
      let trainer;
      try {
        trainer = await create(this);
        if (checkpoint)
          trainer.loadCheckpoint(checkpoint);
        return await trainer.run({ checkpointEvery, ...options });
      } catch (error) {
        if (!this.isLost && !trainer?.handle.isLost)
          throw error;
        checkpoint = trainer?.checkpoint ?? checkpoint;
      }
      await this.untilRestored(options);
    }
  }

  /** The WebGL2RenderingContext. */
  get gl() {
    return this.handle.gl;
  }

  matrix(desc) { return call(this, 'glnn_matrix_create', this, desc); }
  dataset(desc) {
    const counted = withCounts(desc);
    return desc.read || desc.textureBudget ? createReading(this, counted)
      : call(this, 'glnn_dataset_create', this, counted);
  }

  datasetFromMatrices(desc) { return call(this, 'glnn_dataset_create_from_matrices', this, desc); }
  kernel(desc) { return call(this, 'glnn_kernel_create', this, desc); }
  network(desc) { return call(this, 'glnn_network_create', this, desc); }
  lvq(desc) { return call(this, 'glnn_lvq_create', this, desc); }
  kmeans(desc) { return call(this, 'glnn_kmeans_create', this, desc); }
  gmm(desc) { return call(this, 'glnn_gmm_create', this, desc); }
  svm(desc) { return call(this, 'glnn_svm_create', this, desc); }

  /** Makes a matrix of a texture of the page. */
  adopt({ texture, ...desc }) {
    this.handle.refuseIfLost();
    const name = nameOfObject(this.handle.native.module.GL, this.handle.number, texture);
    return call(this, 'glnn_matrix_adopt', this, { ...desc, texture: name });
  }

  /** Records the operations that a function calls. */
  list(record) {
    const list = call(this, 'glnn_list_begin', this);
    this.handle.recording = list.uses = [];
    try {
      record();
      list.end();
    } catch (error) {
      list.destroy();
      throw error;
    } finally {
      this.handle.recording = null;
    }
    return list;
  }

  /** Loads a learner from the bytes of a file that save() or the C library has written. */
  load(bytes, desc) {
    return withFile(this.handle.native, bytes, 'learner.safetensors',
      path => call(this, 'glnn_learner_load', this, path, desc));
  }

  /** Makes the inputs of a learner from raw samples. */
  preparationApply(preparation, samples) {
    const { native } = this.handle, { features } = preparation.columns;
    const rows = Math.floor(samples.length / features), inputs = native.call('glnn_preparation_get_inputs', [preparation]);
    return withScope(native, scope => {
      const out = native.room('float', rows * inputs, scope);
      call(this, 'glnn_preparation_apply', this, preparation, rows,
        native.array('float', samples, rows * features, scope, 'preparationApply: samples'), out);
      return native.numbers('float', out, rows * inputs);
    });
  }

  /** Lets a function draw with WebGL. */
  lend(draw) {
    this.handle.refuseIfLost();
    this.handle.letGo();
    try {
      return draw(this.gl);
    } finally {
      this.handle.hold();
    }
  }

  /** Draws a matrix as a picture: to a canvas, or to a rectangle [x, y, width, height], with y from
   * below, of our own canvas or of the framebuffer that the page has bound. */
  draw(matrix, target, options) {
    this.#painter ??= new Painter(this);
    if (Array.isArray(target))
      this.#painter.draw(matrix, target, options, this.handle.isOwn ? null : undefined);
    else if (this.#isHidden)
      this.#painter.drawToCanvas(matrix, target, options);
    else
      throw new GlnnError('GLNN_E_ARG', 'draw: target is a canvas, but the canvas of the context ' +
        'has another use; take a rectangle of it');
  }

  destroy() {
    if (this.handle.handles && !this.isLost)
      this.#painter?.destroy();
    registry.unregister(this.handle);
    this.handle.release();
    this.dispatchEvent(new Event('destroyed'));
  }
}

// Samples follow from the inputs, and outputs from the targets.
function withCounts(desc) {
  const samples = desc.samples ?? Math.floor(desc.inputs?.length / desc.features);
  return { ...desc, samples,
    ...desc.targets && { outputs: desc.outputs ?? Math.floor(desc.targets.length / samples) } };
}

// ---- The binding

const classes = { glnn_matrix: Matrix, glnn_download: Download, glnn_list: List,
  glnn_kernel: Kernel, glnn_dataset: Dataset, glnn_learner: Learner, glnn_trainer: Trainer,
  glnn_curve: Curve, glnn_inspection: Inspection };
const prefixes = new Map([[Context, 'context_'], [Network, 'network_'], [Lvq, 'lvq_'],
  [Kmeans, 'kmeans_'], [Gmm, 'gmm_'], [Svm, 'svm_'],
  ...Object.entries(classes).map(([type, Type]) => [Type, `${type.slice(5)}_`])]);

// Each other function becomes a method of its first parameter.
function defineMethods() {
  for (const [name, [, first]] of Object.entries(functions)) {
    const short = name.slice(5);
    const type = first?.[1].replace(/^const | \*$/g, '');
    const [Type, prefix] = [...prefixes].find(([, of]) => short.startsWith(of)) ??
      (type === 'glnn_context' ? [Context, ''] : []);
    const isMethod = Type && type && !/_create|_name$/.test(name.replace('_get_name', '')) && (type === 'glnn_context') === (Type === Context);
    const method = isMethod && short.slice(prefix.length).replace(/_(\w)/g, (_, c) => c.toUpperCase());
    if (isMethod && !(method in Type.prototype))
      Object.defineProperty(Type.prototype, method, { configurable: true, writable: true,
        value(...args) { return call(this, name, this, ...args); } });
  }
}

defineMethods();

function bind(native) {
  native.classes.set('glnn_context', { wrap: pointer => pointer, pointerOf: pointerOfContext });
  for (const [type, Type] of Object.entries(classes))
    native.classes.set(type, { pointerOf: pointerOf(Type), wrap: (pointer, owner, isBorrowed) => {
      const { context, calls } = owner;
      const isValid = () => owner.handle.pointer && owner.calls === calls;
      const handle = isBorrowed ? new Handle(context.handle, pointer, null, isValid)
        : new Handle(context.handle, pointer, type === 'glnn_download' ? `${type}_end` : `${type}_destroy`);
      const Kind = Type === Learner ? kinds[native.call('glnn_learner_get_kind', [handle])] : Type;
      return new Kind(context, handle);
    } });
  const { lengths } = native;
  lengths.set('glnn_matrix_desc.data', desc => (desc.rows - 1) * (desc.ld || desc.columns) + desc.columns);
  lengths.set('glnn_dataset_desc.inputs', desc => desc.samples * desc.features);
  lengths.set('glnn_dataset_desc.labels', desc => desc.samples);
  lengths.set('glnn_dataset_desc.targets', desc => desc.samples * desc.outputs);
  lengths.set('glnn_dataset_desc.sampleWeights', desc => desc.samples);
  lengths.set('glnn_dataset_desc.classWeights', desc => desc.classes);
  lengths.set('glnn_dataset_matrices_desc.labels', desc => desc.inputs.rows);
  lengths.set('glnn_lvq_desc.prototypesOf', desc => desc.classes);
  lengths.set('glnn_csv_columns.of', of => of.count ?? 0);
  lengths.set('glnn_csv_columns.classNames', of => of.classes ?? 0);
  for (const name of ['categoryNames', 'codes'])
    lengths.set(`glnn_csv_column.${name}`, of => of.categories ?? 0);
  for (const name of ['offset', 'factor'])
    lengths.set(`glnn_scale.${name}`, scale => scale.features);
  const imageGradients = 512; // GLNN_IMAGE_GRADIENTS
  const featuresOf = ({ gradients, columns }) => gradients?.width ? imageGradients : columns.features;
  lengths.set('glnn_preparation.mean', of => of.components && featuresOf(of));
  lengths.set('glnn_preparation.directions', of => of.components && of.components * featuresOf(of));
  lengths.set('glnn_preparation.eigenvalues', of => of.components);
  lengths.set('glnn_csv_desc.choices', desc => desc.choices.length);
  lengths.set('glnn_csv.inputs', table => table.rows * table.columns.features);
  lengths.set('glnn_csv.values', table => table.rows * table.columns.featureColumns);
  lengths.set('glnn_csv.targets', table => table.rows * table.columns.targets);
  lengths.set('glnn_csv.labels', table => table.rows);
  lengths.set('glnn_idx.data', array => array.elements);
}

/** Loads the module of WebAssembly. `log` receives the lines of errors and warnings. */
export async function load({ log = console.warn, locateFile } = {}) {
  const module = await createModule({ print: log, printErr: log, ...locateFile && { locateFile } });
  const native = new Native(module);
  bind(native);
  return {
    context: (desc = {}) => new Context(native, desc),
    names: type => [...native.names(`glnn_${type}`)],
    readCsv: (source, desc) => readCsv(native, source, desc),
    readIdx: source => readIdx(native, source),
    ...tableFunctions(native),
    layoutGlsl: layout => native.call('glnn_layout_glsl', [layout]),
    version: native.call('glnn_version', []),
  };
}
