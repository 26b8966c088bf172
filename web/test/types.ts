// A program that uses the declarations of the package. It is checked, not run.
import { GlnnError, load, Network, readImage, type Context, type Dataset, type Inspection, type Matrix, type PassInfo } from 'glnn';

export async function train(inputs: Float32Array, labels: Int32Array): Promise<Uint8Array> {
  const glnn = await load({ log: line => console.log(line) });
  const ctx = glnn.context({ canvas: new OffscreenCanvas(1, 1), tuning: 'off' });
  const data = ctx.dataset({ features: 784, inputs, labels, classes: 10 });
  const network = ctx.network({ features: 784, layers: [{ units: 256, activation: 'relu' }, { units: 10 }],
    optimizer: { kind: 'adam' } });
  try {
    const result = await network.train(data, { epochs: 3, schedule: { kind: 'cosine', rate: 0.01 } },
      { onEpoch: ({ training }) => console.log(training.loss) });
    console.log(result.steps, network.evaluate(data, { confusion: true }).confusion[0]);
  } catch (error) {
    if (error instanceof GlnnError && error.status === 'GLNN_E_DIVERGED')
      console.log(error.message);
  }
  const trainer = network.trainer(data);
  const pass: PassInfo = trainer.getPass(0);
  const output: Matrix | null = pass.output;
  if (output)
    ctx.draw(output, document.createElement('canvas'), { width: 28, colours: 'grey' });
  const inspection: Inspection = trainer.inspection();
  console.log(inspection.getPass(0).formerOutput?.rows, inspection.getBlock(0, 0, 0).rows, inspection.getShader(0));
  const loaded = ctx.load(network.save());
  return loaded instanceof Network ? loaded.save() : new Uint8Array();
}

export async function readFiles(pictures: File, table: Response): Promise<number> {
  const glnn = await load();
  const { shape, data } = await glnn.readIdx(pictures);
  const { columns, values } = await glnn.readCsv(table, { label: 'kind', raw: true, choices: [{ column: 'size', type: 'category' }] });
  const fitted = glnn.csvColumnsFit(columns, { missing: 'fill' }, values ?? []);
  const { inputs } = glnn.csvColumnsEncode(fitted, values ?? []);
  const scale = glnn.scaleFit('standard', fitted.features, inputs);
  const prepared = glnn.context().preparationApply({ columns: fitted, scale }, inputs);
  const { pixels } = await readImage(pictures, { channels: 3 });
  return shape[0] + data[0] + prepared[0] + pixels[0];
}

export function stream(ctx: Context, rows: Int8Array): Dataset {
  const data = ctx.dataset({ features: 8, samples: rows.length / 8, textureBudget: 1 << 20,
    read: (samples, inputs) => samples.forEach((sample, i) => inputs.set(rows.subarray(8 * sample, 8 * sample + 8), 8 * i)) });
  console.log(data.getStreamFigures().windows);
  return data;
}

export async function trainThroughLosses(ctx: Context, data: () => Dataset): Promise<boolean> {
  ctx.addEventListener('lost', () => console.log(ctx.isLost));
  const { steps } = await ctx.train(() => ctx.svm({ features: 8, classes: 2 }).trainer(data()), { checkpointEvery: 1000 });
  await ctx.untilRestored({ signal: AbortSignal.timeout(1000) });
  return steps > 0;
}
