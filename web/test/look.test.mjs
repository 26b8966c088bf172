// node --test web/test/look.test.mjs - tests the page that looks inside a training step, in Chromium,
// and takes pictures of it. The environment is that of visits.mjs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser, longest, open as openPage, page, takePictures } from './visits.mjs';

// ---- What the page shows

const isReady = () => page.waitForSelector('#step:enabled');
const place = () => page.textContent('#place');
const currentPass = () => page.textContent('.passes [aria-current]');

async function open() {
  await openPage('look.html');
  await isReady();
}

async function set(name, value) {
  const steps = page.waitForFunction(() => document.getElementById('step').disabled);
  await page.locator('#settings label', { hasText: name }).locator('select').selectOption(value);
  await steps;
  await isReady();
}

// Runs a function with what the page shows.
const withView = run => page.evaluate(`import('./look.js').then(({ view }) => (${run})(view))`);

async function isCounted({ row, column }) {
  await page.evaluate(async ([i, j, end]) => {
    const { view } = await import('./look.js'), start = performance.now();
    while (view.element?.row !== i || view.element.column !== j || view.value === null) {
      if (performance.now() - start > end)
        throw new Error(`no counts for row ${i}, column ${j}`);
      await new Promise(requestAnimationFrame);
    }
  }, [row, column, longest]);
  return withView(view => ({ block: view.block, value: view.value,
    operands: view.sheets.filter(({ operand }) => operand >= 0).map(({ name, rows, columns, counts }) =>
      ({ name, rows, columns, counts: [...counts] })) }));
}

// Where an element of the output is in the window.
async function pointOf({ row, column }) {
  const target = page.locator('.sheet.target');
  await target.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await target.boundingBox();
  const [rows, columns] = await withView(({ output }) => [output.rows, output.columns]);
  return [x + 1 + (column + 0.5) / columns * (width - 2), y + 1 + (row + 0.5) / rows * (height - 2)]; // without borders
}

async function goTo(text) {
  await page.locator('.passes button', { hasText: text }).first().click();
}

// The counts of an operand that are not those of a function of row and column.
function differences({ rows, columns, counts }, expected) {
  assert.equal(counts.length, rows * columns);
  return counts.flatMap((count, at) => {
    const row = Math.floor(at / columns), column = at % columns;
    return count === expected(row, column) ? [] : [[row, column, count]];
  }).slice(0, 8);
}

// ---- Tests

test('keys and buttons go through the passes of a step', async () => {
  await open();
  const count = await page.locator('.passes li').count();
  assert.ok(count >= 9);
  assert.equal(await place(), `1 of ${count}`);
  assert.match(await currentPass(), /gather a batch/);
  await page.keyboard.press('ArrowRight');
  assert.match(await currentPass(), /forward of layer 1 \(dense\)/);
  assert.match(await page.textContent('#explanation'), /^Multiplies the samples by the weights/);
  await page.click('#forward');
  assert.equal(await place(), `3 of ${count}`);
  await page.click('#back');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await place(), `1 of ${count}`);
  assert.ok(await page.isDisabled('#back'));
  await page.focus('.passes [aria-current]');
  await page.keyboard.press('ArrowDown');
  assert.equal(await place(), `2 of ${count}`);
  assert.ok(await page.evaluate(() => document.activeElement.matches('[aria-current]')));
});

test('a step follows the one before, and keeps the pass', async () => {
  await open();
  await goTo('forward of layer 1');
  const weights = () => withView(view => view.sheets.find(({ name }) => name === 'B').matrix.downloadAsync()
    .then(numbers => [...numbers]));
  const former = await weights(), where = await place();
  await page.click('#step');
  await page.waitForFunction(() => document.getElementById('status').textContent.startsWith('Step 2 has'));
  assert.equal(await place(), where);
  const later = await weights();
  assert.ok(later.some((weight, i) => weight !== former[i]));
});

test('the texels of a tiled product under the pointer are four rows of A and eight columns of B', async () => {
  await open();
  await goTo('forward of layer 1');
  await page.mouse.move(...await pointOf({ row: 7, column: 12 }));
  const { block, value, operands: [a, b] } = await isCounted({ row: 7, column: 12 });
  assert.deepEqual(block, { row: 4, column: 8, rows: 4, columns: 8 });
  assert.deepEqual([a.name, a.rows, a.columns, b.name, b.rows, b.columns], ['A', 16, 784, 'B', 785, 32]);
  assert.deepEqual(differences(a, row => row >= 4 && row < 8 ? 1 : 0), []);
  // Each row of the block adds the bias, which is the last row of B.
  assert.deepEqual(differences(b, (row, column) => column < 8 || column >= 16 ? 0 : row < 784 ? 1 : 4), []);
  const downloaded = await withView(({ output }) => output.matrix.download({ row: 7, column: 12, rows: 1, columns: 1 })[0]);
  assert.equal(value, downloaded);
  assert.match(await page.textContent('#element'), /^Row 7, column 12: .* rows 4 to 7, columns 8 to 15\.$/);
});

test('the texels of an unpacked product that keys and touch choose are a row of A and a column of B', async () => {
  await open();
  await set('layout', 'unpacked');
  await goTo('forward of layer 2');
  await page.focus('.sheet.target');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft'])
    await page.keyboard.press(key);
  const expectProduct = async element => {
    const { block, operands: [a, b] } = await isCounted(element);
    assert.deepEqual(block, { ...element, rows: 1, columns: 1 });
    assert.deepEqual(differences(a, row => row === element.row ? 1 : 0), []);
    assert.deepEqual(differences(b, (_, column) => column === element.column ? 1 : 0), []);
  };
  await expectProduct({ row: 1, column: 2 });
  const [clientX, clientY] = await pointOf({ row: 9, column: 4 });
  await page.dispatchEvent('.sheet.target', 'pointerdown', { clientX, clientY, pointerType: 'touch' });
  await expectProduct({ row: 9, column: 4 });
});

test('the point that measures a sample fetched the row of its outputs alone', async () => {
  await open();
  await goTo('loss: metrics');
  await page.focus('.sheet.target');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight'])
    await page.keyboard.press(key);
  const { block, operands: [z] } = await isCounted({ row: 2, column: 1 });
  assert.deepEqual(block, { row: 2, column: 0, rows: 1, columns: 4 });
  assert.deepEqual([z.rows, z.columns], [16, 10]);
  assert.deepEqual(z.counts.map(count => count > 0), Array.from({ length: 160 }, (_, at) => Math.floor(at / 10) === 2));
  assert.match(await page.textContent('#element'), /^Row 2, column 1: .* One point computed row 2, columns 0 to 3\.$/);
});

test('a pass that writes the state alone shows it before and after, and the block under the pointer', async () => {
  await open();
  await goTo('update of layer 2 (dense): state');
  const names = () => withView(({ sheets }) => sheets.map(({ name }) => name));
  assert.deepEqual(await names(), ['GRADIENT', 'STATE, before', 'STATE, after']);
  const state = await withView(({ output }) => output.matrix.downloadAsync().then(numbers => [...numbers]));
  assert.ok(state.some(x => x !== 0));
  await page.mouse.move(...await pointOf({ row: 6, column: 9 }));
  const { block, operands: [gradient] } = await isCounted({ row: 6, column: 9 });
  assert.deepEqual(block, { row: 4, column: 8, rows: 4, columns: 2 });
  assert.deepEqual(differences(gradient, (row, column) => row >= 4 && row < 8 && column >= 8 ? 1 : 0), []);
  await page.click('#forward');
  assert.deepEqual(await names(), ['GRADIENT', 'output, before', 'output, after', 'STATE, before']);
  const change = await withView(async ({ sheets: [, before, after] }) => {
    const [a, b] = await Promise.all([before, after].map(({ matrix }) => matrix.downloadAsync()));
    return [...b].map((weight, i) => weight - a[i]);
  });
  const ratio = -0.05; // the weights descend by the rate times the state
  change.forEach((x, i) => assert.ok(Math.abs(x - ratio * state[i]) < 1e-6, `weight ${i}`));
});

test('words are explained on request', async () => {
  await open();
  assert.ok(!await page.isVisible('.words dl'));
  await page.click('.words summary');
  assert.ok(await page.isVisible('.words dl'));
});

test('the marks are in the pictures of the operands', async () => {
  await open();
  await goTo('forward of layer 1');
  await page.mouse.move(...await pointOf({ row: 7, column: 12 }));
  await isCounted({ row: 7, column: 12 });
  const colours = await page.evaluate(() => {
    const canvas = document.querySelector('.sheets figure:first-child .sheet canvas:last-child');
    const at = row => [...canvas.getContext('2d').getImageData(canvas.width / 2,
      Math.floor((row + 0.5) / 16 * canvas.height), 1, 1).data];
    return [at(1), at(5), at(9)];
  });
  const isAmber = ([red, , blue]) => red > 200 && blue < 40;
  assert.deepEqual(colours.map(isAmber), [false, true, false]);
});

test('the text of the shader that ran begins with the kernel, and can be copied', async () => {
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open();
  await goTo('forward of layer 1');
  const kernel = page.locator('#text details').first();
  assert.match(await kernel.locator('summary').textContent(), /ops\/gemm/);
  assert.ok(await kernel.locator('pre').isVisible());
  assert.match(await kernel.locator('pre').textContent(), /^#line \d+[^]*void block\(ivec2 at\)/);
  await page.click('#copy');
  await page.waitForFunction(() => document.getElementById('status').textContent.includes('copied'));
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^#version 300 es/);
  assert.match(copied, /void main\(\)/);
});

test('each pass of each network and layout has a sentence and a name of its own', async () => {
  await open();
  for (const [name, value] of [['layout', 'packed'], ['layout', 'unpacked'], ['network', 'convolution'],
    ['layout', 'tiled'], ['network', 'glvq']]) {
    await set(name, value);
    const [sentences, names] = await page.evaluate(async () => {
      const { view } = await import('./look.js'), { explain, nameOf } = await import('./passes.js');
      const { inspection, layers } = view.inspector;
      const passes = Array.from({ length: inspection.getPassCount() }, (_, i) => inspection.getPass(i));
      return [passes.map((pass, i) => explain(pass, inspection.getShader(i))), passes.map(pass => nameOf(pass, layers))];
    });
    assert.equal(new Set(names).size, names.length);
    assert.ok(sentences.length >= 8);
    for (const sentence of sentences)
      assert.doesNotMatch(sentence, /runs the kernel|undefined/);
  }
});

test('the page goes on when the browser gives the GPU back', async () => {
  await open();
  await withView(({ inspector }) => {
    window.loss = inspector.context.gl.getExtension('WEBGL_lose_context');
    window.loss.loseContext();
  });
  await page.waitForFunction(() => document.getElementById('status').textContent.includes('taken the GPU away'));
  assert.ok(await page.isDisabled('#step'));
  await page.evaluate(() => window.loss.restoreContext());
  await page.waitForFunction(() => document.getElementById('status').textContent.startsWith('Step 1 has'));
  await goTo('forward of layer 2');
  await page.mouse.move(...await pointOf({ row: 3, column: 2 }));
  const { operands: [a] } = await isCounted({ row: 3, column: 2 });
  assert.deepEqual(differences(a, row => row < 4 ? 1 : 0), []);
});

test('the page fits into 360, 1280 and 1600 pixels, in light and dark colours', async () => {
  await open();
  await goTo('forward of layer 1');
  await takePictures('look', async () => {
    await page.mouse.move(...await pointOf({ row: 7, column: 12 }));
    await isCounted({ row: 7, column: 12 });
  });
});
