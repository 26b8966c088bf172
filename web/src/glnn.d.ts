/** libglnn in the browser: matrices, networks and other learners that compute with WebGL 2.
 *
 * Names, meanings, ranges and defaults of all fields and functions are those of the C library; its
 * headers are the reference. A field `layer_count` of C is `layerCount` here. */

/** Numbers of JavaScript, or of a typed array, which is faster. */
export type Numbers = ArrayLike<number>;

/** An error of the library, with its sentence. */
export class GlnnError extends Error {
  readonly status: Status;
  /** Why readCsv() refused a table, if another description could read it. */
  readonly problem?: CsvProblem;
}

// ---- Enumerations: their names

export type Layout = 'auto' | 'tiled' | 'packed' | 'unpacked' | 'paged';
export type StorageName = 'float32' | 'float16' | 'unorm8';
export type Activation = 'default' | 'sigmoid' | 'tanh' | 'scaled_tanh' | 'relu' | 'leaky_relu' |
  'identity' | 'elu' | 'softsign';
export type LayerKind = 'dense' | 'dropout' | 'convolution' | 'flatten' | 'max_pool' |
  'average_pool' | 'batch_norm' | 'residual' | 'add' | 'multiply' | 'concatenate' | 'gelu' |
  'layer_norm' | 'local_response_norm' | 'upsample' | 'transposed_convolution' | 'slice' |
  'unflatten' | 'function' | 'recurrent' | 'gru' | 'spectrogram';
export type Loss = 'cross_entropy' | 'squared' | 'absolute' | 'huber' | 'hinge' |
  'binary_cross_entropy' | 'quantile' | 'expression';
export type Init = 'auto' | 'glorot' | 'he' | 'uniform';
export type Precision = 'float32' | 'mixed';
export type OptimizerKind = 'sgd' | 'nesterov' | 'adam' | 'rmsprop' | 'rprop';
export type LvqKind = 'glvq' | 'grlvq' | 'gmlvq' | 'rslvq' | 'lvq1' | 'olvq1' | 'lvq2.1' |
  'lvq3';
export type LvqInit = 'auto' | 'means' | 'kmeans' | 'samples';
export type KmeansInit = 'plus_plus' | 'samples';
export type Covariance = 'full' | 'diagonal' | 'spherical';
export type SvmLoss = 'hinge' | 'squared_hinge';
export type Search = 'auto' | 'tiles' | 'reduction' | 'fused';
export type ScheduleKind = 'constant' | 'step' | 'exponential' | 'linear' | 'cosine' | 'inverse';
export type EmphasisKind = 'frequency' | 'weight';
export type MapName = 'identity' | 'sigmoid' | 'tanh' | 'scaled_tanh' | 'relu' | 'leaky_relu' |
  'softplus' | 'exp' | 'log' | 'sqrt' | 'threshold' | 'elu' | 'softsign';
export type Binary = 'add' | 'subtract' | 'multiply' | 'divide' | 'maximum' | 'minimum';
export type Reduction = 'sum' | 'mean' | 'sum_of_squares' | 'max' | 'min' | 'argmax' | 'argmin' |
  'logsumexp';
export type Axis = 'all' | 'rows' | 'columns';
export type Accumulate = 'auto' | 'blend' | 'partial';
export type Pixels = 'as_columns' | 'as_rows';
export type Tuning = 'default' | 'off' | 'quick' | 'again';
export type EventName = 'batch' | 'epoch';
export type Tier = 'default' | 'full' | 'es' | 'targets';
export type Stage = 'default' | 'fragment' | 'compute' | 'auto';
export type Status = 'GLNN_OK' | 'GLNN_E_ARG' | 'GLNN_E_SHAPE' | 'GLNN_E_LIMIT' | 'GLNN_E_NOMEM' |
  'GLNN_E_UNSUPPORTED' | 'GLNN_E_GL' | 'GLNN_E_SHADER' | 'GLNN_E_IO' | 'GLNN_E_FORMAT' |
  'GLNN_E_STATE' | 'GLNN_E_DIVERGED' | 'GLNN_E_PROCESS' | 'GLNN_E_DEVICE_LOST';
export type Writes = 'default' | 'auto' | 'targets' | 'images';
export type Api = 'default' | 'gl' | 'es' | 'webgl';
export type CsvHeader = 'auto' | 'yes' | 'no';
export type CsvMissing = 'refuse' | 'drop' | 'fill' | 'indicator' | 'category';
export type CsvRole = 'feature' | 'label' | 'target' | 'dropped';
export type CsvType = 'auto' | 'number' | 'category' | 'date' | 'text' | 'row_number' | 'empty';
export type CsvEncoding = 'auto' | 'as_is' | 'one_hot' | 'ordinal' | 'date_parts';
export type CsvDate = 'year_first' | 'day_first' | 'month_first';
export type CsvProblem = 'none' | 'header' | 'missing' | 'unlabelled' | 'real_label' | 'separator' |
  'text' | 'date' | 'additional' | 'class' | 'no_header' | 'no_feature';
export type ScaleKind = 'standard' | 'range';
export type LearnerKind = 'network' | 'lvq' | 'kmeans' | 'gmm' | 'svm';

// ---- Descriptions: what is left out has the default of the library

export interface ContextDesc {
  /** A canvas, or a selector of one in the page; otherwise one that is not shown. */
  canvas?: string | HTMLCanvasElement | OffscreenCanvas;
  /** The context of the page, which the library then shares and leaves as it was. */
  gl?: WebGL2RenderingContext;
  renderTargets?: number; textureBudget?: number; passLimitMs?: number;
  /** "off" if it is left out: each page would have to measure the device again. */
  tuning?: Tuning;
}

export interface Shape {
  channels?: number; height?: number; width?: number;
}

export interface Size {
  height: number; width: number;
}

export interface Rect {
  row?: number; column?: number; rows: number; columns: number;
}

export interface MatrixDesc {
  rows: number; columns: number; layout?: Layout; storage?: StorageName; data?: Numbers; ld?: number;
  name?: string;
}

export interface TextureDesc {
  texture: WebGLTexture; target?: number; level?: number; layer?: number; pixels?: Pixels;
  channels?: number; name?: string; width: number; height: number; layers?: number;
  format: number;
}

export interface GemmDesc {
  transposeA?: boolean; transposeB?: boolean; bias?: Matrix; activation?: MapName;
  derivativeOf?: Matrix; derivative?: MapName; augment?: boolean; slice?: number;
  accumulate?: Accumulate;
}

export interface KernelDesc {
  name?: string; source: string; operands?: string[]; uniforms?: string[]; options?: string[];
  adjoint?: string;
}

export interface KernelOperand {
  matrix: Matrix; rect?: Rect; transpose?: boolean;
}

export interface KernelRunDesc {
  operands?: KernelOperand[]; uniforms?: number[]; options?: number[]; beta?: number;
}

export interface DatasetDesc {
  samples?: number; features: number; inputs?: Numbers; labels?: Numbers; classes?: number;
  targets?: Numbers; outputs?: number; sampleWeights?: Numbers; classWeights?: Numbers;
  storage?: StorageName; name?: string;
  /** A larger set becomes a stream, which reads its samples in each epoch: from `inputs`, which then
   * stay where they are, or by `read`. */
  textureBudget?: number;
  /** In place of `inputs`: writes the inputs of samples, one after the other, before it returns. */
  read?(samples: Int32Array, inputs: Float32Array): void;
}

export interface StreamFigures {
  buffers: number; threads: number; reads: number; bytes: number; windows: number; hits: number;
  waitSeconds: number;
}

export interface DatasetMatricesDesc {
  inputs: Matrix; labels?: Numbers; classes?: number; targets?: Matrix; name?: string;
}

export interface LayerDesc {
  kind?: LayerKind; units?: number; activation?: Activation; rate?: number; kernel?: Size;
  stride?: Size; padding?: Size; groups?: number; skip?: number; size?: number; alpha?: number;
  beta?: number; k?: number; dilation?: Size; first?: number; shares?: number; shape?: Shape;
  function?: KernelDesc; inputs?: number[]; window?: number; allStates?: boolean;
  sampleRate?: number; floor?: number;
}

export interface OutputDesc {
  layer?: number; loss?: Loss; lossParameter?: number; weight?: number;
}

export interface Optimizer {
  kind?: OptimizerKind; momentum?: number; weightDecay?: number; beta1?: number; beta2?: number;
  epsilon?: number; clipNorm?: number; twoParts?: boolean; gradientNoise?: number;
  noiseDecay?: number; stepFirst?: number; stepMin?: number; stepMax?: number;
  stepIncrease?: number; stepDecrease?: number;
}

export interface NetworkDesc {
  features?: number; shape?: Shape; layerCount?: number; layers: LayerDesc[]; loss?: Loss;
  lossParameter?: number; lossValue?: string; lossDerivative?: string; outputCount?: number;
  outputs?: OutputDesc[]; labelSmoothing?: number; init?: Init; initRange?: number;
  optimizer?: Optimizer; layout?: Layout; precision?: Precision; capacity?: number; seed?: number | bigint;
}

export interface LvqDesc {
  kind?: LvqKind; features: number; classes: number; prototypes?: number; prototypesOf?: Numbers;
  init?: LvqInit; kmeansSteps?: number; xi?: number; xiGrowth?: number; window?: number;
  epsilon?: number; sigma?: number; scale?: number; rank?: number; metricRate?: number;
  twoParts?: boolean; search?: Search; layout?: Layout; capacity?: number; seed?: number | bigint;
}

export interface KmeansDesc {
  features: number; centres: number; classes?: number; init?: KmeansInit; initSamples?: number;
  restarts?: number; tolerance?: number; search?: Search; layout?: Layout; capacity?: number;
  seed?: number | bigint;
}

export interface GmmDesc {
  features: number; components: number; classes?: number; covariance?: Covariance;
  varianceFloor?: number; shrinkage?: number; tolerance?: number; layout?: Layout;
  capacity?: number; seed?: number | bigint;
}

export interface SvmDesc {
  features: number; classes: number; loss?: SvmLoss; lambda?: number; momentum?: number;
  layout?: Layout; capacity?: number;
}

export interface LoadDesc {
  layout?: Layout; capacity?: number;
}

export interface Schedule {
  kind?: ScheduleKind; rate?: number; finalRate?: number; factor?: number; every?: number;
}

export interface BatchSchedule {
  factor?: number; every?: number; most?: number;
}

export interface Distortion {
  shape?: Shape; shift?: number; rotation?: number; scale?: number; shear?: number;
  elastic?: number; sigma?: number; probability?: number; background?: number;
}

export interface TrainDesc {
  epochs?: number; batch?: number; accumulate?: number; batchSchedule?: BatchSchedule;
  schedule?: Schedule; seed?: number | bigint; keepOrder?: boolean; emphasis?: number;
  emphasisKind?: EmphasisKind; validation?: Dataset; validationSplit?: number;
  distortion?: Distortion; patience?: number; minImprovement?: number; desiredLoss?: number;
  desiredError?: number; restoreBest?: boolean; reportEvery?: number;
}

export interface CsvDesc {
  separator?: string; decimal?: string; header?: CsvHeader; missing?: CsvMissing; label?: string;
  targets?: string[]; targetCount?: number; dropped?: string[]; droppedCount?: number;
  encoding?: CsvEncoding; rare?: number; raw?: boolean; choices?: CsvChoice[]; choiceCount?: number;
  like?: CsvColumns;
}

export interface CsvChoice {
  column: string; type?: CsvType; encoding?: CsvEncoding;
}

export interface CsvFitDesc {
  missing?: CsvMissing; rare?: number;
}

/** A column of a table, as glnn_csv_column. Features are made of those with the role 'feature'. */
export interface CsvColumn {
  name?: string | null; position?: number; role?: CsvRole; type?: CsvType; encoding?: CsvEncoding;
  date?: CsvDate; numbersRows?: boolean; categories?: number; categoryNames?: string[] | null;
  otherText?: string | null; otherFields?: number;
  features?: number; fill?: number; missing?: CsvMissing; kept?: number;
  codes?: Int32Array | number[] | null; hasOther?: boolean; hasTime?: boolean;
}

/** The columns of a table and its classes, as glnn_csv_columns. */
export interface CsvColumns {
  count?: number; of?: CsvColumn[] | null; featureColumns?: number; features: number;
  targets?: number; dropped?: number; hasCommas?: boolean; classes?: number;
  classNames?: string[] | null;
}

/** Each feature is (x - offset) * factor. */
export interface Scale {
  features: number; offset: Numbers | null; factor: Numbers | null;
}

/** How raw samples become the inputs of a learner (glnn/preparation.h). */
export interface Preparation {
  columns: CsvColumns; gradients?: Shape; scale?: Scale; components?: number; mean?: Numbers | null;
  directions?: Numbers | null; eigenvalues?: Numbers | null; targetScale?: Scale;
}

// ---- Results

export interface ContextInfo {
  vendor: string; renderer: string; version: string; maxTextureSize: number;
  maxArrayLayers: number; maxDrawBuffers: number; textureBudget: number; textureBytes: number;
  api: Api; tier: Tier; renderTargets: number; stage: Stage; writes: Writes; tuning: Tuning;
  timerQueries: boolean; software: boolean; quadExchange: boolean;
}

export interface Counters {
  passes: number; programsCompiled: number; programsLoaded: number; texturesCreated: number;
  bytesUploaded: number; bytesDownloaded: number; waits: number;
}

export interface Profile {
  peakGflops: number; fetchGtexels: number; copyGb: number; imageCopyGb: number; blendGb: number;
  passUs: number; imagePassUs: number; gemmGflops: number; fragmentsToFill: number;
  cpuGflops: number; cpuGb: number;
}

export interface TextureInfo {
  texture: WebGLTexture; target: number; format: number; width: number; height: number;
  layers: number; layout: Layout; wrap: number; level: number; layer: number;
}

export interface Metrics {
  loss: number; accuracy: number; squaredError: number; rSquared: number;
}

export interface Report {
  event: EventName; epoch: number; epochs: number; batch: number; batches: number; step: number;
  training: Metrics; validation: Metrics; hasValidation: boolean; best: boolean; rate: number;
  samplesPerSecond: number; seconds: number;
}

export interface TrainResult {
  epochs: number; steps: number; stopped: boolean; bestEpoch: number; training: Metrics;
  validation: Metrics; seconds: number; trainSeconds: number; resumedFormer: boolean;
}

export interface PassInfo {
  part: string; layer: number; kernel: string; epilogue: string | null; output: Matrix | null;
  adds: boolean; operandNames: (string | null)[]; operands: (Matrix | null)[];
  sideOutputNames: (string | null)[]; sideOutputs: (Matrix | null)[]; expectedUs: number;
  formerOutput: Matrix | null; formerSideOutputs: (Matrix | null)[];
  writesOutput: boolean; writesSideOutputs: boolean[];
}

export interface TensorInfo {
  name: string; role: 'parameter' | 'statistic' | 'state'; layer: number; dimensions: number;
  shape: number[]; count: number;
}

/** A table: features, or raw values if the description asked for them. */
export interface Csv {
  rows: number; inputs: Float32Array | null; values: Float32Array | null;
  targets: Float32Array | null; labels: Int32Array | null; columns: CsvColumns;
  droppedRows: number; missingValues: number; unknownValues: number; problem: CsvProblem;
}

/** An array in the format IDX, such as the pictures of MNIST. */
export interface IdxArray {
  type: 'uint8' | 'int8' | 'int16' | 'int32' | 'float32' | 'float64'; shape: number[];
  data: Uint8Array | Int8Array | Int16Array | Int32Array | Float32Array | Float64Array;
}

/** Numbers from 0 to 1: the rows of each channel, one channel after the other. */
export interface Picture {
  shape: Required<Shape>; pixels: Float32Array;
}

/** How a matrix becomes a picture. */
export interface PictureOptions {
  /** The width of a picture, whose numbers are a row of the matrix. Without it the matrix itself is
   * the picture. */
  width?: number;
  /** Its height; otherwise the rest of the row. */
  height?: number;
  /** Columns take the place of rows. */
  transposed?: boolean;
  /** The rows that are drawn: `count` of them, all after `first` by default. */
  first?: number; count?: number;
  /** The pictures side by side; otherwise they form a square. */
  across?: number;
  /** The numbers between two pictures; otherwise 1. */
  gap?: number;
  /** The ends of the range of numbers; otherwise the least and the greatest number. */
  low?: number; high?: number;
  /** The colours of the least number, of the middle and of the greatest number, each from 0 to 1.
   * "signed", the default, is blue, white, red and has 0 in the middle. */
  colours?: 'signed' | 'grey' | [number[], number[], number[]];
}

export interface RunOptions {
  /** Training goes on in pieces of so many milliseconds, between which the page can do other
   * things; otherwise 8. */
  milliseconds?: number;
  /** One piece for each frame, so that the rest of the frame is the page's. */
  perFrame?: boolean;
  /** Saves a checkpoint each time so many milliseconds have passed; otherwise none. */
  checkpointEvery?: number;
  /** Programs are compiled; the number grows to 1. */
  onWarmUp?(progress: number): void;
  onEpoch?(report: Report): void;
  /** About sixty times a second, and at the end. Training ends if it returns false. */
  onFrame?(trainer: Trainer): boolean | void;
  signal?: AbortSignal;
}

// ---- Objects

/** An object of a context. It is destroyed when JavaScript collects it, or by destroy(). After that,
 * and after its context was destroyed, calls throw an error of status "GLNN_E_STATE". */
declare class Thing {
  readonly context: Context;
  destroy(): void;
}

export class Matrix extends Thing {
  private constructor();
  readonly rows: number;
  readonly columns: number;
  getRows(): number;
  getColumns(): number;
  getLayout(): Layout;
  getStorage(): StorageName;
  getName(): string;
  /** Row after row, like all arrays. */
  upload(data: Numbers, rect?: Rect): void;
  /** Waits for the GPU, and the page waits too. */
  download(rect?: Rect): Float32Array;
  downloadAsync(rect?: Rect): Promise<Float32Array>;
  /** To be read with the function of layoutGlsl(); valid until the next call that writes the
   * matrix. */
  getTexture(): TextureInfo;
}

/** Operations that were recorded. */
export class List extends Thing {
  private constructor();
  end(): void;
  run(): void;
}

export class Kernel extends Thing {
  private constructor();
  run(desc: KernelRunDesc | null, out: Matrix): void;
}

export class Dataset extends Thing {
  private constructor();
  isStreamed(): boolean;
  getStreamFigures(): StreamFigures;
  getSamples(): number;
  getFeatures(): number;
  getOutputs(): number;
}

export class Learner extends Thing {
  protected constructor();
  getKind(): LearnerKind;
  getFeatures(): number;
  getOutputs(): number;
  initialise(data: Dataset): void;
  /** Trains without blocking the page. */
  train(data: Dataset, desc?: TrainDesc, options?: RunOptions): Promise<TrainResult>;
  trainer(data: Dataset, desc?: TrainDesc): Trainer;
  evaluate(data: Dataset): Metrics;
  /** The count at label * classes + predicted belongs to the samples of that label and
   * prediction. */
  evaluate(data: Dataset, options: { confusion: true }): Metrics & { confusion: Float64Array };
  predict(inputs: Numbers): { outputs: Float32Array; classes: Int32Array };
  /** The outputs of networks and support vector machines, the classes of others. */
  predictAsync(inputs: Numbers): Promise<Float32Array>;
  predictMatrix(inputs: Matrix, predictions: Matrix): void;
  findNearest(inputs: Numbers, k?: number): { prototypes: Int32Array; distances: Float32Array };
  getTensorCount(): number;
  getTensorInfo(number: number): TensorInfo;
  getTensors(): TensorInfo[];
  findTensor(name: string): TensorInfo;
  getTensor(name: string): Float32Array;
  setTensor(name: string, values: Numbers): void;
  /** The matrix in which the learner has the numbers. */
  getTensorMatrix(name: string): Matrix;
  /** Keeps a copy of the steps that prepare raw samples, which files of the learner then have. */
  setPreparation(preparation: Preparation | null): void;
  getPreparation(): Preparation | null;
  /** The bytes of a safetensors file, which the C library loads as well. */
  save(): Uint8Array;
  loadParameters(bytes: Uint8Array | ArrayBuffer): void;
  exportC(name: string): string;
}

export class Network extends Learner {
  getDesc(): NetworkDesc;
  /** The shape of the outputs of a layer; -1: of the inputs. */
  getShape(layer: number): Required<Shape>;
  getActivationMatrix(layer: number): Matrix;
  forward(inputs: Matrix, trains: boolean, outputs?: Matrix | null): void;
  backward(outputGradient: Matrix, inputGradient?: Matrix | null): void;
  backwardToInputs(outputGradient: Matrix, inputGradient: Matrix): void;
  update(rate: number): void;
  setPrecision(precision: Precision): void;
  getSteps(): number;
  setSteps(steps: number): void;
  exportGlsl(name: string): string;
}

export class Lvq extends Learner {
  getDesc(): LvqDesc;
  getEpochs(): number;
  setEpochs(epochs: number): void;
  backward(inputs: Matrix, classes: Matrix, inputGradient?: Matrix | null): void;
  update(rate: number): void;
  takeMetrics(): Metrics;
}

export class Kmeans extends Learner {
  getDesc(): KmeansDesc;
}

export class Gmm extends Learner {
  getDesc(): GmmDesc;
}

export class Svm extends Learner {
  getDesc(): SvmDesc;
}

export class Trainer extends Thing {
  private constructor();
  /** Trains to the end without blocking the page, and resolves with the result. Pages that are
   * hidden train on. */
  run(options?: RunOptions): Promise<TrainResult>;
  /** 0: no limit. With a limit in milliseconds it waits for nothing, and ends epochs too. */
  step(steps?: number, milliseconds?: number): { done: number; epochEnded: boolean };
  /** Returns the progress, from 0 to 1. */
  warmUp(milliseconds: number): number;
  endEpoch(): void;
  isFinished(): boolean;
  getReport(): Report;
  /** Makes the latest report that of the steps of the epoch so far, and waits for them. */
  updateReport(): void;
  /** The reports of all epochs from number `first` on. */
  getReports(first?: number): Report[];
  getResult(): TrainResult;
  getPassCount(): number;
  /** Its matrices are valid until the next step. */
  getPass(number: number): PassInfo;
  /** Makes the next step, and keeps what its passes read and write. */
  inspection(): Inspection;
  setLearningRate(rate: number): void;
  evaluate(data: Dataset): Metrics;
  snapshot(): void;
  restore(): void;
  save(): Uint8Array;
  /** The bytes of the latest checkpoint that was saved or loaded. They outlive the context. */
  readonly checkpoint: Uint8Array | ArrayBuffer | null;
  saveCheckpoint(): Uint8Array;
  loadCheckpoint(bytes: Uint8Array | ArrayBuffer): void;
}

/** One training step pass by pass. It needs neither the trainer nor the learner afterwards. */
export class Inspection extends Thing {
  private constructor();
  getPassCount(): number;
  /** Its matrices are copies, which the inspection keeps. */
  getPass(number: number): PassInfo;
  /** The GLSL text of the shader that computed the pass. */
  getShader(number: number): string;
  /** The rectangle of the output that was computed together with an element. A part of a pass has
   * the first side output that it writes in place of the output. */
  getBlock(number: number, row: number, column: number): Rect;
  /** Counts how often each texel of an operand was fetched for an element of the output. `out` has
   * the shape of the operand. */
  findFetches(number: number, row: number, column: number, operand: number, out: Matrix): void;
}

/** The browser can take a context away, for example when the GPU is reset. The event "lost" tells it.
 * All objects of the context are then lost, and calls throw an error of status "GLNN_E_STATE". The
 * event "restored" tells that new ones can be made. In a context of the page, the page has to call
 * preventDefault() of its event "webglcontextlost", or the browser gives none back. */
export class Context extends EventTarget {
  private constructor();
  readonly context: Context;
  readonly gl: WebGL2RenderingContext;
  readonly isLost: boolean;
  /** Resolves at once if the context is not lost. Rejects if the page destroys it, or by the signal. */
  untilRestored(options?: { signal?: AbortSignal }): Promise<void>;
  /** Trains to the end, also if the context is lost meanwhile: when it is back, `create` makes data
   * set, learner and trainer again, and the trainer goes on from the latest checkpoint. There is one
   * every five seconds unless `checkpointEvery` says otherwise. */
  train(create: (context: Context) => Trainer | Promise<Trainer>, options?: RunOptions): Promise<TrainResult>;
  destroy(): void;

  matrix(desc: MatrixDesc): Matrix;
  adopt(desc: TextureDesc): Matrix;
  dataset(desc: DatasetDesc): Dataset;
  datasetFromMatrices(desc: DatasetMatricesDesc): Dataset;
  network(desc: NetworkDesc): Network;
  lvq(desc: LvqDesc): Lvq;
  kmeans(desc: KmeansDesc): Kmeans;
  gmm(desc: GmmDesc): Gmm;
  svm(desc: SvmDesc): Svm;
  kernel(desc: KernelDesc): Kernel;
  /** Records the operations that `record` calls. */
  list(record: () => void): List;
  /** Loads a learner from the bytes of a safetensors file. */
  load(bytes: Uint8Array | ArrayBuffer, desc?: LoadDesc): Learner;
  /** The inputs of a learner, made from raw samples. */
  preparationApply(preparation: Preparation, samples: Numbers): Float32Array;

  /** Lets a function draw with WebGL. In a context of the page, the page can draw at any time. */
  lend<Result>(draw: (gl: WebGL2RenderingContext) => Result): Result;

  /** Draws a matrix on a canvas, if the context has one that is not shown. Otherwise draws it in a
   * rectangle [x, y, width, height] of the canvas of the context or, in a context of the page, of
   * the framebuffer that is bound; y counts from below. */
  draw(matrix: Matrix, target: HTMLCanvasElement | OffscreenCanvas |
    [number, number, number, number], options?: PictureOptions): void;

  copy(x: Matrix, out: Matrix): void;
  copyRect(x: Matrix, from: Rect | null, out: Matrix, row: number, column: number): void;
  transpose(x: Matrix, out: Matrix): void;
  gatherRows(x: Matrix, index: Matrix, first: number, count: number, out: Matrix): void;
  scatterAddRows(alpha: number, x: Matrix, index: Matrix, beta: number, out: Matrix): void;
  /** c = alpha op(a) op(b) + beta c. */
  gemm(desc: GemmDesc | null, alpha: number, a: Matrix, b: Matrix, beta: number, c: Matrix): void;
  outer(alpha: number, x: Matrix, y: Matrix, beta: number, out: Matrix): void;
  mapApply(map: MapName, x: Matrix, out: Matrix): void;
  mapApplyDerivative(map: MapName, y: Matrix, dy: Matrix | null, out: Matrix): void;
  mapApplyExpression(expression: string, x: Matrix, out: Matrix): void;
  binaryApply(op: Binary, x: Matrix, y: Matrix, out: Matrix): void;
  axpby(alpha: number, x: Matrix, beta: number, y: Matrix): void;
  axpy(alpha: number, x: Matrix, y: Matrix): void;
  softmax(x: Matrix, out: Matrix): void;
  fill(value: number, out: Matrix): void;
  fillUniform(seed: number | bigint, low: number, high: number, out: Matrix): void;
  fillNormal(seed: number | bigint, mean: number, deviation: number, out: Matrix): void;
  reduce(reduction: Reduction, axis: Axis, x: Matrix, out: Matrix): void;
  imageDistort(distortion: Distortion | null, seed: number | bigint, step: number | bigint,
    x: Matrix, out: Matrix): void;
  imageBlur(shape: Shape | null, sigma: number, x: Matrix, out: Matrix): void;
  imageNormalise(least: number, x: Matrix, out: Matrix): void;
  imageGradients(shape: Shape | null, x: Matrix, out: Matrix): void;

  /** Encloses many calls in the context of a page, whose state is then restored once. */
  begin(): void;
  end(): void;
  finish(): void;
  getInfo(): ContextInfo;
  getCounters(): Counters;
  resetCounters(): void;
  getProfile(): Profile;
  measure(): void;
  warmUp(milliseconds: number): number;
  setTuning(tuning: Tuning): void;
  compareStages(): number;
}

export interface Glnn {
  readonly version: string;
  context(desc?: ContextDesc): Context;
  /** The names of an enumeration, such as "layer_kind". */
  names(enumeration: string): string[];
  /** The GLSL function that reads an element of a matrix of this layout from its texture. */
  layoutGlsl(layout: Layout): string;
  /** Reads a table as the C library does (glnn/csv.h). */
  readCsv(source: FileSource | string, desc?: CsvDesc): Promise<Csv>;
  readIdx(source: FileSource): Promise<IdxArray>;
  /** The same columns, fitted to rows of raw values. */
  csvColumnsFit(columns: CsvColumns, desc: CsvFitDesc | null, values: Numbers): CsvColumns;
  /** The features of rows of raw values, and how many values have a category that was not kept. */
  csvColumnsEncode(columns: CsvColumns, values: Numbers): { inputs: Float32Array; unknown: number };
  /** The raw values of the texts of a row; null or an empty text is a missing value. */
  csvColumnsParse(columns: CsvColumns, fields: (string | null)[]): Float32Array;
  csvColumnsNameFeature(columns: CsvColumns, feature: number): string;
  scaleFit(kind: ScaleKind, features: number, samples: Numbers): Scale;
  /** Scaled copies of samples, and samples that are scaled back. */
  scaleApply(scale: Scale, samples: Numbers): Float32Array;
  scaleUndo(scale: Scale, samples: Numbers): Float32Array;
}

/** A File, a Blob, what fetch() gives, or the bytes of a file. Files of gzip are unpacked. */
export type FileSource = Blob | Response | Uint8Array | ArrayBuffer;

/** The bytes of a file, unpacked. */
export function readBytes(source: FileSource): Promise<Uint8Array>;

/** Reads a picture in a format of the browser, such as PNG, with 8 bits for each value. Transparent
 * pixels are blended with black. 1 channel, the default, is grey; 3 are red, green and blue. */
export function readImage(source: FileSource, options?: { channels?: 1 | 3 }): Promise<Picture>;

export interface LoadOptions {
  /** Receives the lines of errors and warnings; otherwise console.warn(). */
  log?(line: string): void;
  /** Where files of the package lie, if not next to it. */
  locateFile?(name: string): string;
}

/** Loads the module of WebAssembly. */
export function load(options?: LoadOptions): Promise<Glnn>;
