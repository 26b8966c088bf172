// node web/bench/first_step.mjs BUILD RASTERISER - measures how long a page takes from nothing to the
// end of its first training step, of 784-256-10 with batch 128. Each of some runs is a Chromium of its
// own, in which no program is cached. The table has the milliseconds of the shortest run.
import { resolve } from 'node:path';
import { launch, serve } from '../test/browser.mjs';

const runs = 3, nothingCached = ['--disable-gpu-shader-disk-cache', '--disable-gpu-program-cache'];

// Runs in the page. The names are those of the rows.
async function measure() {
  const times = {}, started = performance.now();
  let before = started;
  const note = name => {
    times[name] = performance.now() - before;
    before = performance.now();
  };
  const { load } = await import('/package/glnn.js');
  const glnn = await load();
  note('load the module');
  const context = glnn.context();
  note('create a context');
  const data = context.dataset({ features: 784, classes: 10,
    inputs: Float32Array.from({ length: 128 * 784 }, Math.random),
    labels: Array.from({ length: 128 }, (_, i) => i % 10) });
  const network = context.network({ features: 784, layers: [{ units: 256, activation: 'relu' }, { units: 10 }],
    optimizer: { momentum: 0.9 } });
  note('create the network');
  await network.train(data, { epochs: 1, batch: 128 });
  note('first step');
  times['all of these'] = before - started;
  return times;
}

async function run(build, rasteriser, server) {
  process.env.MESA_SHADER_CACHE_DISABLE = 'true';
  const browser = await launch(build, rasteriser, nothingCached);
  try {
    const page = await browser.context.newPage();
    page.setDefaultTimeout(0);
    await page.goto(`${server.url}/test/program.html`);
    return await page.evaluate(measure);
  } finally {
    await browser.close();
  }
}

const build = resolve(process.argv[2]);
const server = await serve(build);
const measured = [];
for (let i = 0; i < runs; ++i)
  measured.push(await run(build, process.argv[3], server));
server.close();
const shortest = measured.reduce((a, b) => a['all of these'] < b['all of these'] ? a : b);
for (const [name, time] of Object.entries(shortest))
  console.log(`${name.padEnd(20)}${time.toFixed(0).padStart(8)} ms`);
