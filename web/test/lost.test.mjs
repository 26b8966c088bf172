// node --test web/test/lost.test.mjs - tests what the package does when the browser takes a context
// away and gives it back, in a page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser, inPage, page } from './in_page.mjs';

// A context that can be taken away: ctx, and functions that do so and wait for the event.
const fragile = desc => inPage(async desc => {
  const ctx = window.ctx = context(desc), lose = ctx.gl.getExtension('WEBGL_lose_context');
  const told = name => new Promise(resolve => ctx.addEventListener(name, resolve, { once: true }));
  window.take = async () => {
    const lost = told('lost');
    lose.loseContext();
    await lost;
    await new Promise(resolve => setTimeout(resolve)); // the browser gives nothing back earlier
  };
  window.give = () => {
    const restored = told('restored');
    lose.restoreContext();
    return restored;
  };
}, desc);

const sentence = /the browser has taken the context away/;

test('calls in a lost context throw an error that says so, before and after its event', async () => {
  await fragile({});
  const found = await inPage(async () => {
    const matrix = ctx.matrix({ rows: 40, columns: 50, data: numbers(2000) });
    const network = ctx.network({ features: 8, layers: [{ units: 3 }] });
    const trainer = network.trainer(ctx.dataset(clusters()), { batch: 20 });
    trainer.step(1);
    ctx.draw(matrix, new OffscreenCanvas(8, 8));
    const reading = matrix.downloadAsync().catch(error => ({ status: error.status, message: error.message }));
    const running = trainer.run().catch(error => ({ status: error.status, message: error.message }));
    const calls = [() => matrix.download(), () => ctx.fill(1, matrix), () => ctx.matrix({ rows: 1, columns: 1 }), () => trainer.step(1),
      () => trainer.saveCheckpoint(), () => network.predict(new Float32Array(8)), () => ctx.getInfo(), () => ctx.lend(() => {}),
      () => ctx.adopt({ texture: {}, width: 1, height: 1, format: 1 }), () => ctx.draw(matrix, new OffscreenCanvas(8, 8)), () => ctx.list(() => {}),
      () => ctx.mapApplyExpression('x + 2.5', matrix, matrix)];
    const event = take(), [early] = [calls.map(failure)];
    const wasLost = ctx.isLost;
    await event;
    return { early, late: calls.map(failure), wasLost, isLost: ctx.isLost, reading: await reading, running: await running,
      handles: ctx.handle.handles.size };
  });
  for (const error of [...found.early, ...found.late, found.reading, found.running]) {
    assert.equal(error?.status, 'GLNN_E_STATE');
    assert.match(error.message, /taken the context away|took the context away/);
  }
  found.early.forEach(({ message }) => assert.match(message, sentence));
  assert.deepEqual([found.wasLost, found.isLost, found.handles], [true, true, 0]);
});

test('after its event "restored", a context makes objects again, and the old ones are refused', async () => {
  await fragile({});
  const found = await inPage(async () => {
    const objects = () => ['textures', 'buffers', 'programs', 'framebuffers', 'syncs', 'vaos', 'shaders']
      .map(of => ctx.handle.native.module.GL[of].filter(Boolean).length);
    const rounds = [];
    for (let round = 0; round < 3; ++round) {
      const matrix = ctx.matrix({ rows: 2, columns: 2, data: [1, 2, 3, 4] }), canvas = new OffscreenCanvas(2, 2);
      ctx.gemm(null, 1, matrix, matrix, 0, ctx.matrix({ rows: 2, columns: 2 }));
      ctx.draw(matrix, canvas, { low: 0, high: 4, colours: 'grey', gap: 0 });
      const drawn = canvas.getContext('2d').getImageData(0, 0, 1, 1).data[0];
      await take();
      const restored = ctx.untilRestored();
      await give();
      await restored;
      await ctx.untilRestored();
      rounds.push({ drawn, stale: failure(() => matrix.download()), objects: objects(), isLost: ctx.isLost });
      matrix.destroy();
    }
    const sum = ctx.matrix({ rows: 1, columns: 1, data: [2] });
    ctx.axpy(1, sum, sum);
    return { rounds, sum: sum.download()[0], error: ctx.gl.getError() };
  });
  for (const { drawn, stale, objects, isLost } of found.rounds) {
    assert.equal(drawn, 64);
    assert.match(stale.message, /the matrix was lost when the browser took the context away/);
    assert.equal(isLost, false);
    assert.deepEqual(objects, found.rounds[0].objects);
  }
  assert.equal(found.sum, 4);
  assert.equal(found.error, 0);
});

test('a training goes on from its checkpoint in the restored context, with the same bits', async () => {
  await fragile({});
  const found = await inPage(async () => {
    let network, made = 0;
    const steps = [];
    const create = () => {
      ++made;
      network = ctx.network({ features: 8, layers: [{ units: 3 }], optimizer: { momentum: 0.9 }, seed: 3 });
      return network.trainer(ctx.dataset(clusters()), { epochs: 100, batch: 20, seed: 3 });
    };
    const weights = () => [...network.getTensor('0.weight')];
    await ctx.train(create);
    const whole = weights();
    let before = 0; // the frames before the loss
    const result = await ctx.train(create, { checkpointEvery: 0, onFrame(trainer) {
      steps.push(trainer.getResult().steps);
      if (!before && trainer.checkpoint && steps.at(-1) > 100) {
        before = steps.length;
        take().then(() => setTimeout(give, 50));
      }
    } });
    return { whole, again: weights(), made, steps: result.steps, first: steps.slice(before).find(of => of > 0) };
  });
  assert.equal(found.made, 3);
  assert.equal(found.steps, 600);
  assert.deepEqual(found.again, found.whole);
  assert.ok(found.first > 50, `it goes on at step ${found.first}`);
});

test('an error of a training that is not lost ends it', async () => {
  await fragile({});
  const message = await inPage(() => ctx.train(() => { throw new RangeError('no data'); }).catch(error => error.message));
  assert.equal(message, 'no data');
});

test('a context of the page comes back when the page asks for it', async () => {
  const found = await inPage(async () => {
    const canvas = document.createElement('canvas'), gl = canvas.getContext('webgl2');
    const wait = name => new Promise(resolve => canvas.addEventListener(name, event => {
      event.preventDefault();
      resolve();
    }, { once: true }));
    const one = context({ gl }), other = context({ gl }), lose = gl.getExtension('WEBGL_lose_context');
    const m = one.matrix({ rows: 1, columns: 1, data: [1] });
    let event = wait('webglcontextlost');
    lose.loseContext();
    await event;
    await new Promise(resolve => setTimeout(resolve));
    const lost = [failure(() => m.download()), failure(() => other.matrix({ rows: 1, columns: 1 }))];
    other.destroy();
    event = wait('webglcontextrestored');
    lose.restoreContext();
    await event;
    await one.untilRestored();
    const number = one.matrix({ rows: 1, columns: 1, data: [7] }).download()[0];
    const last = failure(() => other.matrix({ rows: 1, columns: 1 }));
    one.destroy();
    return { lost, number, last, isAlive: !gl.isContextLost(), own: Object.hasOwn(gl, 'getParameter') };
  });
  found.lost.forEach(error => assert.match(error.message, sentence));
  assert.equal(found.number, 7);
  assert.match(found.last.message, /the context was destroyed/);
  assert.deepEqual([found.isAlive, found.own], [true, false]);
});

test('a context can be destroyed while it is lost, and one that is dropped is destroyed', async () => {
  await fragile({});
  const { gone, isLost, waiting } = await inPage(async () => {
    await take();
    const failed = promise => promise.catch(({ name, message }) => `${name}: ${message}`), ending = new AbortController();
    const waiting = [failed(ctx.untilRestored(ending)), failed(ctx.untilRestored()), failed(ctx.train(() => ctx.dataset({})))];
    ending.abort();
    ctx.destroy();
    ctx.destroy();
    window.dropped = context().gl;
    return { gone: failure(() => ctx.matrix({ rows: 1, columns: 1 })), isLost: ctx.isLost, waiting: await Promise.all(waiting) };
  });
  assert.match(waiting[0], /^AbortError/);
  waiting.slice(1).forEach(error => assert.match(error, /the context was destroyed/));
  assert.match(gone.message, /the context was destroyed/);
  assert.equal(isLost, false);
  const session = await browser.context.newCDPSession(page);
  let isDestroyed = false;
  for (let i = 0; i < 20 && !isDestroyed; ++i) {
    await session.send('HeapProfiler.collectGarbage');
    await page.waitForTimeout(50);
    isDestroyed = await page.evaluate(() => dropped.isContextLost());
  }
  assert.ok(isDestroyed);
});
