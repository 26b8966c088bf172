// Chromium without a window. The server for pages is the one of the user.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export { serve } from '../serve.mjs';

// The ways in which Chromium computes without a GPU: through Mesa's rasteriser, and by its own.
const rasterisers = {
  llvmpipe: ['--use-angle=gl-egl'],
  swiftshader: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
};

// Mesa computes on the CPU even if there is a GPU, and compiles without optimisation, which takes
// less than half of the time and changes no result. Variables of the caller come first.
const environment = { LIBGL_ALWAYS_SOFTWARE: '1', GALLIVM_PERF: 'nopt' };

// Starts Chromium with a new profile. `modules` is the folder that has playwright-core; `flags` are
// further ones.
export async function launch(modules, rasteriser, flags = []) {
  const { chromium } = createRequire(join(modules, 'package.json'))('playwright-core');
  const profile = mkdtempSync(join(tmpdir(), 'glnn-chromium-'));
  const path = process.env.CHROMIUM ||
    execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: path,
    headless: false,
    env: { ...environment, ...process.env },
    args: ['--headless=new', '--no-sandbox', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--use-gl=angle', '--ignore-gpu-blocklist',
      ...rasterisers[rasteriser], ...flags],
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
