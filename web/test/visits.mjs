// A visit of the pages in Chromium for each test of a file, which fails if the page reports an error.
// The environment has WEB_BUILD, the folder of the build, and RASTERISER.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, afterEach, before, beforeEach } from 'node:test';
import { launch, serve } from './browser.mjs';

/** The folder of the build. */
export const build = resolve(process.env.WEB_BUILD ?? 'build/web');
const rasteriser = process.env.RASTERISER ?? 'llvmpipe';

const pictures = join(build, 'pictures', rasteriser);

/** The milliseconds that a test waits. */
export const longest = 60000;

export let browser, page;
let server, errors;

// Keeps what tests have to reach: the memory of the module, and the contexts of WebGL.
function watch() {
  const { instantiateStreaming, instantiate } = WebAssembly;
  const keep = result => {
    window.memory = Object.values((result.instance ?? result).exports).find(of => of instanceof WebAssembly.Memory);
    return result;
  };
  WebAssembly.instantiateStreaming = (...args) => instantiateStreaming(...args).then(keep);
  WebAssembly.instantiate = (...args) => instantiate(...args).then(keep);
  const { getContext } = OffscreenCanvas.prototype;
  window.contexts = [];
  OffscreenCanvas.prototype.getContext = function (kind, ...rest) {
    const context = getContext.call(this, kind, ...rest);
    if (kind === 'webgl2')
      window.contexts.push(context);
    return context;
  };
}

/** Opens a page by its name. */
export async function open(path) {
  await page.goto(`${server.url}/pages/${path}`);
}

// Takes a picture of the whole page, without scroll bars. Nothing may stick out.
async function takePicture(name) {
  await page.addStyleTag({ content: '::-webkit-scrollbar { display: none }' });
  const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(inner <= outer, `${name}: ${inner} pixels of ${outer}`);
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

/** Takes pictures of the page in light and dark colours and in three widths. `prepare` is called in
 * each. */
export async function takePictures(name, prepare = () => {}) {
  for (const colorScheme of ['light', 'dark'])
    for (const width of [360, 1280, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await prepare();
      await takePicture(`${name}_${width}_${colorScheme}`);
    }
}

before(async () => {
  mkdirSync(pictures, { recursive: true });
  server = await serve(build);
  browser = await launch(build, rasteriser);
});

after(async () => {
  await browser?.close();
  server?.close();
});

beforeEach(async () => {
  page = await browser.context.newPage();
  page.setDefaultTimeout(longest);
  await page.addInitScript(watch);
  errors = [];
  page.on('pageerror', error => errors.push(error.message));
  page.on('console', message => message.type() === 'error' && errors.push(message.text()));
});

afterEach(async () => {
  await page.close();
  assert.deepEqual(errors, []);
});
