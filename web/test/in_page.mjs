// A page in Chromium that has the package as npm packs it. The environment has WEB_BUILD, the folder
// of the build, and RASTERISER.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before } from 'node:test';
import { launch, serve } from './browser.mjs';

export const build = resolve(process.env.WEB_BUILD ?? 'build/web');
export const packed = join(build, 'packed');
const rasteriser = process.env.RASTERISER ?? 'llvmpipe';
let server;
export let browser, page;

// What functions that run in the page have in common. `shared` is a context that many
// tests use.
const setUp = `
  window.ready = import('/package/glnn.js').then(async module => {
    window.glnn = await module.load();
    window.GlnnError = module.GlnnError;
    window.module = module;
    window.context = desc => glnn.context(desc);
    let used;
    Object.defineProperty(window, 'shared', { get: () => used ??= context() });
    window.failure = call => {
      try { call(); } catch (error) { return { status: error.status, message: error.message,
        isError: error instanceof GlnnError && error instanceof Error }; }
      return null;
    };
    // Numbers between -1 and 1 that are the same in each run.
    window.numbers = (count, seed = 1) => Float32Array.from({ length: count }, () => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed / 1073741824 - 1;
    });
    window.xor = { features: 2, inputs: [0, 0, 0, 1, 1, 0, 1, 1], targets: [0, 1, 1, 0] };
    window.xorNetwork = { features: 2, loss: 'squared', optimizer: { momentum: 0.9 },
      layers: [{ units: 4, activation: 'tanh' }, { units: 1, activation: 'sigmoid' }] };
    // Three clusters of 8 features.
    window.clusters = (samples = 120) => {
      const labels = Int32Array.from({ length: samples }, (_, i) => i % 3);
      const inputs = numbers(samples * 8, 5).map((x, i) =>
        0.3 * x + (i % 8 % 3 === labels[Math.floor(i / 8)] ? 1 : 0));
      return { features: 8, inputs, labels, classes: 3 };
    };
    // As in web/test/native/learner.c.
    window.compared = () => {
      const labels = Int32Array.from({ length: 256 }, (_, i) => i % 3);
      const inputs = Float32Array.from({ length: 256 * 20 }, (_, place) => {
        const i = Math.floor(place / 20), j = place % 20;
        const hash = (i * 7919 + j * 10473 + i * j * 31) % 1000;
        return (hash + (j % 3 === labels[i] ? 500 : 0)) / 1000;
      });
      return { features: 20, inputs, labels, classes: 3 };
    };
  });`;

export async function open(path = 'blank.html') {
  const opened = await browser.context.newPage();
  opened.setDefaultTimeout(120000);
  opened.on('pageerror', error => console.error(error.message));
  await opened.goto(`${server.url}/${path}`);
  return opened;
}

/** Runs a function in the page, which has what setUp defines. */
export async function inPage(run, argument) {
  await page.evaluate(() => ready);
  return page.evaluate(run, argument);
}

before(async () => {
  writeFileSync(join(packed, 'blank.html'), `<!doctype html><title>test</title><script>${setUp}</script>`);
  server = await serve(packed);
  browser = await launch(build, rasteriser);
  page = await open();
});

after(async () => {
  await browser?.close();
  server?.close();
});
