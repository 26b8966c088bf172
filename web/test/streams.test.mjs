// node --test web/test/streams.test.mjs - tests data sets of the package that stream, in a page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inPage } from './in_page.mjs';

test('a data set that streams trains with the bits of a resident one', async () => {
  const { wanted, found, streamed, figures, before, after } = await inPage(() => {
    const desc = clusters(300), { inputs, ...rest } = desc, textureBudget = 2 * 40 * 48;
    const whole = inputs.map(x => Math.round(100 * x)); // whole numbers
    const targets = whole.filter((_, i) => i % 8 < 2);
    const train = (data, outputs) => {
      const network = shared.network({ features: 8, layers: [{ units: outputs }], loss: outputs === 3 ? 'cross_entropy' : 'squared' });
      const trainer = network.trainer(data, { epochs: 3, batch: 20, seed: 3, schedule: { rate: 1e-4 } });
      data.destroy(); // the trainer still reads
      while (!trainer.isFinished()) {
        trainer.step();
        trainer.endEpoch();
      }
      trainer.destroy();
      return [...network.getTensor('0.weight')];
    };
    const { sources } = shared.handle.native, before = sources.size;
    const read = (samples, rows) => samples.forEach((sample, i) =>
      rows.set(whole.subarray(sample * 8, sample * 8 + 8), i * 8));
    const stream = shared.dataset({ ...rest, samples: 300, read, textureBudget });
    const streamed = [stream.isStreamed(), shared.dataset(desc).isStreamed()];
    shared.network({ features: 8, layers: [{ units: 3 }], capacity: 30 }).evaluate(stream);
    const figures = stream.getStreamFigures();
    const regression = { features: 8, samples: 300, targets };
    return { wanted: [train(shared.dataset({ ...desc, inputs: whole }), 3), train(shared.dataset({ ...regression, inputs: whole }), 2)],
      found: [train(stream, 3), train(shared.dataset({ ...desc, inputs: Int16Array.from(whole), textureBudget }), 3),
        train(shared.dataset({ ...rest, samples: 300, read }), 3),
        train(shared.dataset({ ...regression, inputs: [...whole], textureBudget }), 2)],
      streamed, figures, before, after: sources.size };
  });
  assert.deepEqual(found, [wanted[0], wanted[0], wanted[0], wanted[1]]);
  assert.deepEqual(streamed, [true, false]);
  assert.ok(figures.windows >= 6 && figures.reads === figures.windows && figures.threads === 0);
  assert.equal(figures.bytes, 300 * 8 * 4);
  assert.equal(after, before);
});

test('what the function of a stream throws ends the call, which can be repeated', async () => {
  const found = await inPage(() => {
    let isTorn = true;
    const read = (_, rows) => {
      if (isTorn)
        throw new RangeError('the tape is torn');
      rows.fill(1);
    };
    const stream = desc => shared.dataset({ features: 2, samples: 100, targets: new Float32Array(100).fill(3),
      textureBudget: 2 * 32 * 20, ...desc });
    const network = shared.network({ features: 2, layers: [{ units: 1 }], loss: 'squared', capacity: 10 }), data = stream({ read });
    const thrown = failure(() => network.evaluate(data));
    isTorn = false;
    const { loss } = network.evaluate(data);
    return [thrown, Number.isFinite(loss), failure(() => network.evaluate(stream({ read: async () => {} }))),
      failure(() => stream({ inputs: new Float32Array(199) })), failure(() => stream({ read, inputs: new Float32Array(200) })),
      failure(() => network.evaluate(stream({ read: (_, rows) => rows.fill(NaN) })))];
  });
  assert.equal(found[0].message, 'the tape is torn');
  assert.ok(found[1]);
  assert.match(found[2].message, /`read` returned a promise/);
  assert.match(found[3].message, /dataset: inputs has 199 numbers, but needs 200/);
  assert.match(found[4].message, /`inputs` and `read` are both given/);
  assert.match(found[5].message, /not finite|nan/);
});
