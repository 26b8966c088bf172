// Chromium without a window, and a server for the pages of a folder.
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

// The ways in which Chromium computes without a GPU: through Mesa's rasteriser, and by its own.
const rasterisers = {
  llvmpipe: ['--use-angle=gl-egl'],
  swiftshader: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
};

// Mesa computes on the CPU even if there is a GPU, and compiles without optimisation, which takes
// less than half of the time and changes no result.
const environment = { LIBGL_ALWAYS_SOFTWARE: '1', GALLIVM_PERF: 'nopt' };

// Serves the files of a folder on a free port of this machine.
export async function serve(folder) {
  const server = createServer((request, response) => {
    const path = join(folder, normalize(new URL(request.url, 'http://localhost').pathname));
    const type = types[extname(path)];
    if (!type || !existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': type });
    createReadStream(path).pipe(response);
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

// Starts Chromium with a new profile. `modules` is the folder that has playwright-core.
export async function launch(modules, rasteriser) {
  const { chromium } = createRequire(join(modules, 'package.json'))('playwright-core');
  const profile = mkdtempSync(join(tmpdir(), 'glnn-chromium-'));
  const path = process.env.CHROMIUM ||
    execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: path,
    headless: false,
    env: { ...process.env, ...environment },
    args: ['--headless=new', '--no-sandbox', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--use-gl=angle', '--ignore-gpu-blocklist',
      ...rasterisers[rasteriser]],
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
