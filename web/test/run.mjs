// node web/test/run.mjs BUILD RASTERISER PROGRAM [ARGUMENT...] - runs a program that was compiled to
// BUILD/test/PROGRAM.js in Chromium, prints what it prints, and exits with its status.
import { resolve } from 'node:path';
import { launch, serve } from './browser.mjs';

const [build, rasteriser, program, ...options] = process.argv.slice(2);
const server = await serve(resolve(build, 'test'));
const browser = await launch(resolve(build), rasteriser);
let status = 1;
try {
  const page = await browser.context.newPage();
  page.setDefaultTimeout(0);
  page.on('pageerror', error => console.error(error.message));
  page.on('console', message => console.log(message.text()));
  await page.goto(`${server.url}/program.html`);
  status = await page.evaluate(async ([program, options]) => {
    const { default: create } = await import(`./${program}.js`);
    const say = text => console.log(text);
    return new Promise((done, fail) => {
      create({ arguments: options, print: say, printErr: say, onExit: done, onAbort: fail });
    });
  }, [program, options]);
} finally {
  await browser.close();
  server.close();
}
process.exit(status);
