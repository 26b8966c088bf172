// node web/test/selftest.mjs BUILD RASTERISER - runs the self-test of BUILD/test in Chromium and
// prints its report. Fails if a result fails.
import { resolve } from 'node:path';
import { launch, serve } from './browser.mjs';

const [build, rasteriser] = process.argv.slice(2);
const server = await serve(resolve(build, 'test'));
const browser = await launch(resolve(build), rasteriser);
let failed = 1;
try {
  const page = await browser.context.newPage();
  page.setDefaultTimeout(0);
  page.on('pageerror', error => console.error(error.message));
  page.on('console', message => console.log(message.text()));
  await page.goto(`${server.url}/selftest.html`);
  failed = await page.evaluate(async () => {
    const { default: create } = await import('./selftest.js');
    return new Promise((done, fail) => {
      create({ print: console.log, printErr: console.log, onExit: done, onAbort: fail });
    });
  });
} finally {
  await browser.close();
  server.close();
}
process.exit(failed ? 1 : 0);
