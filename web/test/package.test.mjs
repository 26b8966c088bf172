// node --test web/test/package.test.mjs - tests the package for JavaScript, as npm packs it, in
// Chromium. The environment has WEB_BUILD, the folder of the build, and RASTERISER.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { browser, build, inPage, open, packed, page } from './in_page.mjs';

const declarations = join(packed, 'package/glnn.d.ts');
const library = () => createRequire(join(build, 'package.json'))('typescript');

// The members of the classes and interfaces of glnn.d.ts, and the names of its unions.
function declared() {
  const ts = library();
  const source = ts.createSourceFile(declarations, readFileSync(declarations, 'utf8'), ts.ScriptTarget.Latest, true);
  const members = new Map(), unions = new Map();
  source.forEachChild(node => {
    if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node))
      members.set(node.name.text, [...new Set(node.members.filter(member => member.name)
        .map(member => member.name.getText()))]);
    else if (ts.isTypeAliasDeclaration(node) && ts.isUnionTypeNode(node.type) &&
      node.type.types.every(ts.isLiteralTypeNode))
      unions.set(node.name.text, node.type.types.map(type => type.literal?.text));
  });
  return { members, unions };
}

const sorted = list => [...list].sort();
const snake = name => name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase();

test('the declarations have the methods of all classes, and no others', async () => {
  const { members } = declared();
  const methods = await inPage(() => Object.fromEntries(Object.entries(module)
    .filter(([, Type]) => Type.prototype && Type !== GlnnError).map(([name, Type]) =>
      [name, Object.getOwnPropertyNames(Type.prototype).filter(of => of !== 'constructor')])));
  for (const [name, found] of Object.entries(methods)) {
    assert.deepEqual(sorted(members.get(name).filter(member => member !== 'context')), sorted(found), name);
  }
});

test('the declarations have the fields of all structures, and no others', async () => {
  const { members } = declared();
  const fields = await inPage(() => {
    const { native } = context().handle;
    return Object.fromEntries([...native.structureNames()].map(name => [name, native.fieldNames(name)]));
  });
  const other = { ContextDesc: ['canvas', 'gl'] };
  const hidden = { glnn_context_desc: ['platform'], glnn_train_desc: ['curve'],
    glnn_dataset_desc: ['user', 'buffers'] };
  const compared = Object.entries(fields).filter(([name]) =>
    !['glnn_idx', 'glnn_exchange_plan'].includes(name));
  for (const [structure, names] of compared) {
    const name = structure.slice(5).replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase());
    const isFilled = names[0] === 'size';
    const expected = names.filter((of, i) => !(isFilled && i === 0) && !hidden[structure]?.includes(of));
    assert.ok(members.has(name), `${name} is declared`);
    assert.deepEqual(sorted(members.get(name).filter(of => !other[name]?.includes(of))), sorted(expected), name);
  }
  assert.ok(compared.length > 30);
});

test('the declarations have the names of all enumerations', async () => {
  const { unions } = declared();
  for (const [name, values] of unions) {
    const of = { StorageName: 'storage', MapName: 'map', EventName: 'event' }[name] ?? snake(name);
    assert.deepEqual(values, await inPage(enumeration => glnn.names(enumeration), of), name);
  }
  assert.ok(unions.size > 25);
});

test('a program with types compiles, and one with a wrong name does not', () => {
  const folder = join(build, 'types');
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  execFileSync('ln', ['-sfn', join(packed, 'package'), join(folder, 'node_modules/glnn')]);
  const text = readFileSync(new URL('types.ts', import.meta.url), 'utf8');
  const check = program => {
    writeFileSync(join(folder, 'program.ts'), program);
    const ts = library();
    const compiled = ts.createProgram([join(folder, 'program.ts')], { strict: true, noEmit: true,
      target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler, types: [] });
    return ts.getPreEmitDiagnostics(compiled).map(of => ts.flattenDiagnosticMessageText(of.messageText, '\n'));
  };
  assert.deepEqual(check(text), []);
  assert.match(check(text.replace('units: 256', 'unit: 256')).join(), /'unit' does not exist/);
});

test('operations agree with double references in all layouts on odd sizes', async () => {
  const worst = await inPage(() => {
    const ctx = shared;
    const layouts = ['tiled', 'packed', 'unpacked'];
    const worst = {};
    // The error relative to the bound: a number of units of 2^-24 times a scale of each element.
    const compare = (name, found, reference, units, scale = Math.abs) => found.forEach((value, i) => {
      const bound = units * 2 ** -24 * Math.max(scale(reference[i], i), 1e-30);
      worst[name] = Math.max(worst[name] ?? 0, Math.abs(value - reference[i]) / bound);
      if (!Number.isFinite(value))
        worst[name] = Infinity;
    });
    for (const [m, k, n] of [[1, 1, 1], [5, 7, 3], [33, 17, 9], [67, 41, 29]])
      for (const [at, layout] of layouts.entries()) {
        const other = layouts[(at + 1) % 3];
        const matrix = (rows, columns, of, data) => ctx.matrix({ rows, columns, layout: of, data });
        const x = numbers(m * k, 3), y = numbers(k * n, 4), z = numbers(m * k, 6);
        const a = matrix(m, k, layout, x), b = matrix(k, n, other, y), d = matrix(m, k, other, z);
        const c = matrix(m, n, layout), e = matrix(m, k, layout), t = matrix(k, m, other);
        const product = Array.from({ length: m * n }, (_, i) => x.subarray(Math.floor(i / n) * k, (Math.floor(i / n) + 1) * k)
          .reduce((sum, value, j) => sum + value * y[j * n + i % n], 0));
        const sizes = Array.from({ length: m * n }, (_, i) => x.subarray(Math.floor(i / n) * k, (Math.floor(i / n) + 1) * k)
          .reduce((sum, value, j) => sum + Math.abs(value * y[j * n + i % n]), 0));
        ctx.gemm(null, 1, a, b, 0, c);
        compare('gemm', c.download(), product, k + 2, (_, i) => sizes[i]);
        ctx.transpose(a, t);
        const transposed = Array.from({ length: m * k }, (_, i) => x[i % m * k + Math.floor(i / m)]);
        compare('transpose', t.download(), transposed, 0.001);
        ctx.gemm({ transposeA: true }, 1, t, b, 0, c);
        compare('gemm transposed', c.download(), product, k + 2, (_, i) => sizes[i]);
        ctx.mapApply('sigmoid', a, e);
        compare('sigmoid', e.download(), [...x].map(v => 1 / (1 + Math.exp(-v))), 64, v => 1 + v);
        ctx.mapApplyExpression('x * x + float(row)', a, e);
        compare('expression', e.download(), [...x].map((v, i) => v * v + Math.floor(i / k)), 3);
        ctx.binaryApply('multiply', a, d, e);
        compare('multiply', e.download(), [...x].map((v, i) => v * z[i]), 2);
        ctx.axpby(2, a, -1, e);
        compare('axpby', e.download(), [...x].map((v, i) => 2 * v - Math.fround(v * z[i])), 8, (_, i) => 2 * Math.abs(x[i]) + 1);
        const sums = matrix(m, 1, other);
        ctx.reduce('sum', 'rows', a, sums);
        compare('sum', sums.download(), Array.from({ length: m }, (_, i) => x.subarray(i * k, i * k + k).reduce((s, v) => s + v, 0)),
          k + 2, (_, i) => x.subarray(i * k, i * k + k).reduce((s, v) => s + Math.abs(v), 0));
        ctx.softmax(a, e);
        compare('softmax', e.download(), [...x].map((v, i) => Math.exp(v) /
          x.subarray(Math.floor(i / k) * k, (Math.floor(i / k) + 1) * k).reduce((s, w) => s + Math.exp(w), 0)), 128);
        ctx.copy(a, e);
        ctx.copyRect(d, { rows: Math.ceil(m / 2), columns: Math.ceil(k / 2) }, e, Math.floor(m / 2), Math.floor(k / 2));
        compare('copyRect', e.download(), [...x].map((v, i) => {
          const row = Math.floor(i / k) - Math.floor(m / 2), column = i % k - Math.floor(k / 2);
          return row < 0 || column < 0 ? v : z[row * k + column];
        }), 0.001);
        e.upload(x.subarray(0, k), { row: m - 1, rows: 1, columns: k });
        compare('upload', e.download({ row: m - 1, rows: 1, columns: k }), x.subarray(0, k), 0.001);
        [a, b, c, d, e, t, sums].forEach(of => of.destroy());
      }
    return worst;
  });
  assert.ok(Object.keys(worst).length >= 11);
  for (const [name, error] of Object.entries(worst))
    assert.ok(error <= 1, `${name}: ${error} times the bound`);
});

test('a matrix can be read without blocking the page', async () => {
  const read = await inPage(async () => {
    const m = shared.matrix({ rows: 3, columns: 5, data: numbers(15) });
    return [[...await m.downloadAsync()], [...await m.downloadAsync({ row: 1, rows: 1, columns: 5 })], [...numbers(15)]];
  });
  assert.deepEqual(read[0], read[2]);
  assert.deepEqual(read[1], read[2].slice(5, 10));
});

test('lists and kernels compute again and keep their matrices', async () => {
  const read = await inPage(() => {
    const out = shared.matrix({ rows: 2, columns: 2 });
    const kernel = shared.kernel({ operands: ['X'], uniforms: ['float rate'],
      source: 'float element(int row, int column) { return X_at(row, column) * rate + 1.0; }' });
    const list = shared.list(() => kernel.run({ operands: [{ matrix: out }], uniforms: [2] }, out));
    shared.fill(1, out);
    list.run();
    list.run();
    return [...out.download()];
  });
  assert.deepEqual(read, [7, 7, 7, 7]);
});

test('a network learns XOR', async () => {
  const { outputs, result, epochs, again } = await inPage(async () => {
    const data = shared.dataset(xor);
    const network = shared.network(xorNetwork);
    let epochs = 0;
    const result = await network.train(data, { epochs: 300, batch: 4, schedule: { rate: 0.5 } }, { onEpoch: () => ++epochs });
    return { outputs: [...network.predict(xor.inputs).outputs], result, epochs, again: [...await network.predictAsync(xor.inputs)] };
  });
  assert.equal(result.steps, 300);
  assert.equal(epochs, 300);
  assert.deepEqual(outputs.map(Math.round), [0, 1, 1, 0]);
  assert.deepEqual(again, outputs);
});

test('all kinds of learners tell clusters apart', async () => {
  const found = await inPage(async () => {
    const desc = clusters();
    const data = shared.dataset(desc);
    const learners = {
      network: [shared.network({ features: 8, layers: [{ units: 12, activation: 'relu' }, { units: 3 }],
        optimizer: { kind: 'adam' } }), { epochs: 12, batch: 20, schedule: { rate: 0.02 } }],
      lvq: [shared.lvq({ features: 8, classes: 3, kind: 'gmlvq' }), { epochs: 5 }],
      kmeans: [shared.kmeans({ features: 8, centres: 3, classes: 3 }), { epochs: 10 }],
      gmm: [shared.gmm({ features: 8, components: 3, classes: 3, covariance: 'diagonal' }), { epochs: 10 }],
      svm: [shared.svm({ features: 8, classes: 3 }), { epochs: 10 }],
    };
    const found = {};
    for (const [kind, [learner, training]] of Object.entries(learners)) {
      await learner.train(data, training);
      const { accuracy, confusion } = learner.evaluate(data, { confusion: true });
      const { classes } = learner.predict(desc.inputs);
      const bytes = learner.save();
      const loaded = shared.load(bytes);
      found[kind] = { accuracy, kind: learner.getKind(), counted: confusion.reduce((sum, n) => sum + n, 0),
        right: classes.filter((c, i) => c === desc.labels[i]).length / 120,
        sameClass: loaded.constructor === learner.constructor,
        same: [...loaded.predict(desc.inputs).classes].join() === [...classes].join() };
    }
    found.nearest = [...learners.kmeans[0].findNearest(desc.inputs.subarray(0, 16), 2).distances];
    return found;
  });
  const { nearest, ...kinds } = found;
  for (const [kind, of] of Object.entries(kinds)) {
    assert.equal(of.kind, kind);
    assert.ok(of.accuracy >= 0.95, `${kind}: accuracy ${of.accuracy}`);
    assert.ok(Math.abs(of.right - of.accuracy) < 1e-6, kind);
    assert.equal(of.counted, 120, kind);
    assert.ok(of.same && of.sameClass, kind);
  }
  assert.ok(nearest[0] <= nearest[1] && nearest[0] > 0);
});

test('steps in the page give the parameters of the native library, and files go both ways', async () => {
  const program = join(build, 'native/learner');
  const file = join(build, 'native/learner.safetensors');
  const env = { ...process.env, GLNN_API: 'webgl', LIBGL_ALWAYS_SOFTWARE: '1' };
  execFileSync(program, ['train', file], { env });
  const native = [...readFileSync(file)];
  const found = await inPage(async bytes => {
    const desc = compared();
    const network = shared.network({ features: 20, layers: [{ units: 16, activation: 'tanh' }, { units: 3 }],
      optimizer: { kind: 'adam' }, seed: 7 });
    const trainer = network.trainer(shared.dataset(desc), { epochs: 20, batch: 32, schedule: { rate: 0.01 }, seed: 7 });
    for (let steps = 0; steps < 100;) {
      const { done, epochEnded } = trainer.step(100 - steps);
      steps += done;
      if (epochEnded)
        trainer.endEpoch();
    }
    const loaded = shared.load(new Uint8Array(bytes));
    const differences = network.getTensors().map(({ name }) => {
      const [own, other] = [network.getTensor(name), loaded.getTensor(name)];
      const most = other.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
      return [name, own.reduce((m, v, i) => Math.max(m, Math.abs(v - other[i])), 0) / most];
    });
    return { differences, steps: network.getSteps(), outputs: [...loaded.predict(desc.inputs).outputs],
      bytes: [...trainer.save()], own: [...network.predict(desc.inputs).outputs] };
  }, native);
  assert.equal(found.steps, 100);
  assert.ok(found.differences.length >= 4);
  for (const [name, difference] of found.differences)
    assert.ok(difference <= 1e-5, `${name} differs by ${difference}`);
  const predict = path => execFileSync(program, ['predict', path], { env, encoding: 'utf8' }).trim().split('\n').map(Number);
  const close = (left, right) => left.every((value, i) => Math.abs(value - right[i]) < 1e-5) && left.length === right.length;
  assert.ok(close(predict(file), found.outputs), 'a native file predicts alike in the page');
  writeFileSync(file, Uint8Array.from(found.bytes));
  assert.ok(close(predict(file), found.own), 'a file of the page predicts alike in the native library');
});

test('a checkpoint continues a training with the same bits', async () => {
  const [whole, continued] = await inPage(() => {
    const data = shared.dataset(clusters());
    const start = () => {
      const network = shared.network({ features: 8, layers: [{ units: 3 }], optimizer: { momentum: 0.9 } });
      return [network, network.trainer(data, { epochs: 4, batch: 20 })];
    };
    const finish = trainer => {
      while (!trainer.isFinished()) {
        trainer.step();
        trainer.endEpoch();
      }
    };
    const [first, one] = start();
    one.step(4);
    const bytes = one.saveCheckpoint();
    finish(one);
    const [second, two] = start();
    two.loadCheckpoint(bytes);
    finish(two);
    return [[...first.getTensor('0.weight')], [...second.getTensor('0.weight')]];
  });
  assert.deepEqual(continued, whole);
});

test('passes of a step have matrices, which are refused after the next step', async () => {
  const { passes, pictures, stale } = await inPage(() => {
    const network = shared.network(xorNetwork);
    const trainer = network.trainer(shared.dataset(xor), { epochs: 9, batch: 4 });
    trainer.step(1);
    const passes = Array.from({ length: trainer.getPassCount() }, (_, i) => trainer.getPass(i));
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 16;
    const { output } = passes[0];
    shared.draw(output, canvas);
    const drawn = canvas.getContext('2d').getImageData(0, 0, 16, 16).data;
    const texture = output.getTexture();
    trainer.endEpoch();
    trainer.step(1);
    return { passes: passes.map(({ part, kernel, layer, operandNames }) => ({ part, kernel, layer, operands: operandNames.filter(Boolean).length })),
      pictures: [drawn.some(v => v !== 0), shared.gl.isTexture(texture.texture)], stale: failure(() => output.download()) };
  });
  assert.ok(passes.length >= 4);
  assert.ok(passes.some(({ part }) => part === 'forward') && passes.every(({ kernel }) => kernel));
  assert.deepEqual(pictures, [true, true]);
  assert.equal(stale.status, 'GLNN_E_STATE');
});

test('pictures have the numbers of all layouts in the right places', async () => {
  const worst = await inPage(() => {
    const canvas = new OffscreenCanvas(15, 6);
    let worst = 0;
    for (const layout of ['tiled', 'packed', 'unpacked']) {
      const m = shared.matrix({ rows: 6, columns: 15, layout, data: Float32Array.from({ length: 90 }, (_, i) => i) });
      const t = shared.matrix({ rows: 15, columns: 6, layout });
      shared.transpose(m, t);
      for (const [drawn, transposed] of [[m, false], [t, true]]) {
        shared.draw(drawn, canvas, { width: 5, across: 3, gap: 0, colours: 'grey', transposed });
        canvas.getContext('2d').getImageData(0, 0, 15, 6).data.forEach((value, i) => {
          const x = (i >> 2) % 15, y = Math.floor((i >> 2) / 15);
          const number = (Math.floor(y / 3) * 3 + Math.floor(x / 5)) * 15 + y % 3 * 5 + x % 5;
          if (i % 4 < 3)
            worst = Math.max(worst, Math.abs(value - number / 89 * 255));
        });
      }
    }
    return worst;
  });
  assert.ok(worst <= 1, `a colour is off by ${worst}`);
});

test('a canvas of the page shows pictures next to what the page draws', async () => {
  const [picture, own, number] = await inPage(() => {
    const ctx = context({ canvas: document.body.appendChild(document.createElement('canvas')) });
    const m = ctx.matrix({ rows: 1, columns: 1, data: [1] });
    ctx.lend(gl => {
      gl.clearColor(0, 1, 0, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
    });
    ctx.draw(m, [10, 20, 2, 2], { low: 0, high: 1, colours: 'grey' });
    const read = (x, y) => ctx.lend(gl => {
      const pixel = new Uint8Array(4);
      gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      return [...pixel];
    });
    const found = [read(11, 21), read(12, 21), m.download()[0]];
    ctx.destroy();
    return found;
  });
  assert.deepEqual([picture, own, number], [[255, 255, 255, 255], [0, 255, 0, 255], 1]);
});

test('errors have the sentence and the status of the library', async () => {
  const errors = await inPage(() => {
    const a = shared.matrix({ rows: 2, columns: 3 });
    return [
      failure(() => shared.gemm(null, 1, a, a, 0, a)),
      failure(() => shared.network({ features: 2, layers: [{ unit: 3 }] })),
      failure(() => shared.matrix({ rows: 2, columns: 3, layout: 'tilde' })),
      failure(() => shared.matrix({ rows: 2, columns: 3, data: [1, 2] })),
      failure(() => shared.matrix({ rows: 2.5, columns: 3 })),
      failure(() => shared.transpose(a, 5)),
      failure(() => shared.load(new Uint8Array(100))),
      failure(() => shared.dataset({ features: 2, inputs: [1, 2], labels: [4], classes: 2 })),
      failure(() => shared.network({ features: 2, layers: [{ units: '3' }] })),
      failure(() => shared.matrix({ rows: 2, columns: 3, texture_budget: 3 })),
    ];
  });
  const expected = [['GLNN_E_SHAPE', /inner dimensions differ/], ['GLNN_E_ARG', /layers\[0\] has no field "unit".*"units"/],
    ['GLNN_E_ARG', /layout is "tilde".*tiled/], ['GLNN_E_SHAPE', /data has 2 numbers, but needs 6/],
    ['GLNN_E_ARG', /rows is 2.5/], ['GLNN_E_ARG', /out is no matrix/], ['GLNN_E_FORMAT', /learner\.safetensors/],
    ['GLNN_E_FORMAT', /label/], ['GLNN_E_ARG', /units is 3, but has to be a whole number/], ['GLNN_E_ARG', /no field "texture_budget"/]];
  expected.forEach(([status, sentence], i) => {
    assert.equal(errors[i]?.status, status, String(sentence));
    assert.match(errors[i].message, sentence);
    assert.ok(errors[i].isError);
  });
});

test('objects of a destroyed context are refused, and can be destroyed', async () => {
  const statuses = await inPage(async () => {
    const ctx = context();
    const matrix = ctx.matrix({ rows: 2, columns: 2 });
    const network = ctx.network(xorNetwork);
    const data = ctx.dataset(xor);
    const trainer = network.trainer(data, { epochs: 3, batch: 4 });
    trainer.step(1);
    const weights = network.getTensorMatrix('0.weight');
    const reading = matrix.downloadAsync().catch(error => ({ status: error.status }));
    ctx.destroy();
    const failures = [() => matrix.download(), () => ctx.fill(1, matrix), () => network.predict([0, 1]), () => trainer.step(),
      () => weights.rows, () => data.getSamples(), () => ctx.matrix({ rows: 1, columns: 1 }), () => ctx.getInfo()].map(failure);
    [trainer, network, data, matrix, ctx].forEach(object => object.destroy());
    // The others in the page go on.
    const m = shared.matrix({ rows: 1, columns: 1, data: [3] });
    return { failures, reading: await reading, number: m.download()[0] };
  });
  statuses.failures.forEach(error => assert.equal(error?.status, 'GLNN_E_STATE'));
  assert.equal(statuses.reading.status, 'GLNN_E_STATE');
  assert.equal(statuses.number, 3);
});

test('a destroyed learner takes its matrices and its trainer along', async () => {
  const failures = await inPage(() => {
    const network = shared.network(xorNetwork);
    const trainer = network.trainer(shared.dataset(xor), { batch: 4 });
    const weights = network.getTensorMatrix('0.weight');
    const refused = failure(() => weights.destroy());
    network.destroy();
    return [refused, failure(() => weights.download()), failure(() => trainer.step()), failure(() => network.save())];
  });
  failures.forEach(error => assert.equal(error?.status, 'GLNN_E_STATE'));
});

test('a context of the page keeps its state, and its textures become matrices', async () => {
  const { names, before, after, first, second, pixels, errors, alive } = await inPage(() => {
    const gl = document.createElement('canvas').getContext('webgl2');
    gl.getExtension('EXT_color_buffer_float');
    const texture = gl.createTexture(), target = gl.createTexture(), buffer = gl.createBuffer();
    for (const of of [texture, target]) {
      gl.bindTexture(gl.TEXTURE_2D, of);
      gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, 2, 3);
    }
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 2, 3, gl.RGBA, gl.FLOAT, Float32Array.from({ length: 24 }, (_, i) => i));
    const frame = gl.createFramebuffer(), array = gl.createVertexArray(), sampler = gl.createSampler();
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, target, 0);
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bindSampler(1, sampler);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(0, 0, 1, 1);
    gl.viewport(3, 4, 5, 6);
    gl.colorMask(true, false, true, false);
    gl.clearColor(0.25, 0.5, 0.75, 1);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 2);
    gl.activeTexture(gl.TEXTURE3);
    const objects = [texture, target, frame, array, sampler, buffer];
    const state = () => ['FRAMEBUFFER_BINDING', 'READ_FRAMEBUFFER_BINDING', 'VERTEX_ARRAY_BINDING', 'ARRAY_BUFFER_BINDING', 'CURRENT_PROGRAM',
      'VIEWPORT', 'SCISSOR_BOX', 'BLEND', 'BLEND_SRC_RGB', 'BLEND_DST_RGB', 'SCISSOR_TEST', 'COLOR_WRITEMASK', 'COLOR_CLEAR_VALUE',
      'UNPACK_ALIGNMENT', 'PACK_ALIGNMENT', 'PIXEL_PACK_BUFFER_BINDING', 'ACTIVE_TEXTURE'].map(name => {
      const value = gl.getParameter(gl[name]);
      return `${name}: ${objects.includes(value) ? 'object ' + objects.indexOf(value) : value?.length ? [...value] : value}`;
    }).concat([0, 1, 3].map(unit => {
      const active = gl.getParameter(gl.ACTIVE_TEXTURE);
      gl.activeTexture(gl.TEXTURE0 + unit);
      const bound = [gl.TEXTURE_BINDING_2D, gl.SAMPLER_BINDING].map(name => objects.indexOf(gl.getParameter(name)));
      gl.activeTexture(active);
      return `unit ${unit}: ${bound}`;
    }));
    const before = state();
    const ctx = context({ gl });
    const x = ctx.adopt({ texture, width: 2, height: 3, format: gl.RGBA32F });
    const first = [...x.download()];
    const y = ctx.matrix({ rows: 8, columns: 3 });
    ctx.transpose(x, y);
    ctx.begin();
    ctx.fill(7, x);
    ctx.axpy(1, x, x);
    ctx.end();
    const second = [...y.download()];
    const network = ctx.network({ features: 8, layers: [{ units: 2 }] });
    const trainer = network.trainer(ctx.datasetFromMatrices({ inputs: x, labels: [0, 1, 0], classes: 2 }), { batch: 3 });
    trainer.step(2, 0);
    ctx.draw(y, [0, 0, 2, 3]);
    const after = state();
    const pixels = new Float32Array(24);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    gl.readPixels(0, 0, 2, 3, gl.RGBA, gl.FLOAT, pixels);
    const names = objects.map(object => typeof object.name);
    ctx.destroy();
    return { names: [names, objects.map(object => typeof object.name)], before, after, first, second, pixels: [...pixels], errors: gl.getError(), alive: [gl.isTexture(texture), !gl.isContextLost(), Object.hasOwn(gl, 'getParameter')] };
  });
  assert.deepEqual(after, before);
  assert.deepEqual(first, Array.from({ length: 24 }, (_, i) => i));
  assert.deepEqual(second, Array.from({ length: 24 }, (_, i) => i % 3 * 8 + Math.floor(i / 3)));
  assert.deepEqual(pixels, Array(24).fill(14));
  assert.equal(errors, 0);
  assert.deepEqual(alive, [true, true, false]);
  assert.deepEqual(names[1], Array(6).fill('undefined'));
  assert.ok(names[0].includes('number'));
});

test('2000 steps do not grow memory', async () => {
  const [before, after] = await inPage(() => {
    const network = shared.network(xorNetwork);
    const trainer = network.trainer(shared.dataset(xor), { epochs: 2100, batch: 4, schedule: { rate: 0.1 } });
    const run = epochs => {
      for (let i = 0; i < epochs; ++i) {
        trainer.step(0);
        trainer.endEpoch();
        trainer.getReport();
      }
      const { HEAPU8, GL } = shared.handle.native.module;
      return { heap: HEAPU8.length, textures: shared.getInfo().textureBytes, handles: shared.handle.handles.size,
        objects: ['textures', 'buffers', 'programs', 'framebuffers', 'syncs', 'vaos'].map(of => GL[of].filter(Boolean).length) };
    };
    return [run(100), run(2000)];
  });
  assert.deepEqual(after, before);
});

test('what JavaScript has dropped is destroyed', async () => {
  const count = () => inPage(() => ({ handles: shared.handle.handles.size, textures: shared.getInfo().textureBytes }));
  const session = await browser.context.newCDPSession(page);
  const collect = async () => {
    for (let i = 0; i < 3; ++i) {
      await session.send('HeapProfiler.collectGarbage');
      await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 50)));
    }
    return count();
  };
  const drop = () => inPage(() => {
    for (let i = 0; i < 50; ++i)
      shared.fill(1, shared.matrix({ rows: 64, columns: 64, name: 'dropped' }));
    shared.network(xorNetwork).trainer(shared.dataset(xor), { batch: 4 }).step(1);
    return shared.handle.handles.size;
  });
  const before = await collect();
  assert.ok(await drop() >= before.handles + 50);
  const first = await collect(); // the library keeps some textures for the next matrices
  assert.ok(first.handles <= before.handles, `${first.handles} of ${before.handles}`);
  await drop();
  assert.deepEqual(await collect(), first);
});

test('a page that is hidden trains on', async () => {
  const steps = await inPage(async () => {
    const { requestAnimationFrame } = window;
    window.requestAnimationFrame = () => 0; // as in a hidden page, which draws no frames
    const network = shared.network(xorNetwork);
    const training = network.train(shared.dataset(xor), { epochs: 20, batch: 4 }, { perFrame: true });
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    const { steps } = await training;
    delete document.hidden;
    window.requestAnimationFrame = requestAnimationFrame;
    return steps;
  });
  assert.equal(steps, 20);
});

test('a step can follow a pause, also at the end of an epoch', async () => {
  const steps = await inPage(async () => {
    const trainer = shared.network(xorNetwork).trainer(shared.dataset(xor), { epochs: 100000, batch: 4 });
    for (let pause = 0; pause < 20; ++pause) {
      await trainer.run({ onFrame: () => false });
      trainer.step(1);
      trainer.endEpoch();
    }
    return trainer.getResult().steps;
  });
  assert.ok(steps >= 20);
});

test('a training can be ended from outside', async () => {
  const [stopped, reason] = await inPage(async () => {
    const data = shared.dataset(xor);
    let frames = 0;
    const { steps } = await shared.network(xorNetwork).train(data, { epochs: 100000, batch: 4 }, { onFrame: () => ++frames < 3 });
    const signal = AbortSignal.abort();
    const reason = await shared.network(xorNetwork).train(data, {}, { signal }).catch(error => error.name);
    return [steps, reason];
  });
  assert.ok(stopped < 100000);
  assert.equal(reason, 'AbortError');
});

test('a worker trains on a canvas of its own', async () => {
  const outputs = await inPage(([data, network]) => new Promise((done, fail) => {
    const text = `import { load } from '${location.origin}/package/glnn.js';
      const ctx = (await load()).context({ canvas: new OffscreenCanvas(2, 2) });
      const network = ctx.network(${JSON.stringify(network)});
      await network.train(ctx.dataset(${JSON.stringify(data)}), { epochs: 300, batch: 4, schedule: { rate: 0.5 } });
      postMessage([...network.predict(${JSON.stringify(data.inputs)}).outputs]);`;
    const worker = new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })), { type: 'module' });
    worker.onmessage = event => done(event.data);
    worker.onerror = event => fail(new Error(event.message));
  }), await inPage(() => [xor, xorNetwork]));
  assert.deepEqual(outputs.map(Math.round), [0, 1, 1, 0]);
});

test('files keep the preparation of a learner', async () => {
  const [kept, other, none, errors] = await inPage(() => {
    const network = shared.network({ features: 2, layers: [{ units: 2 }] });
    const none = network.getPreparation();
    const number = (name, position, fill) =>
      ({ name, position, type: 'number', encoding: 'as_is', features: 1, fill, missing: 'fill' });
    const label = { name: 'kind', position: 3, role: 'label' };
    const columns = { count: 3, of: [number('width', 1, 1.5), number('height', 2, 2), label], featureColumns: 2, features: 2,
      classes: 2, classNames: ['elm', 'eiche, \u00fc'] };
    network.setPreparation({ columns, scale: { features: 2, offset: [1.5, 2], factor: [0.5, 4] } });
    const plain = of => JSON.parse(JSON.stringify(of, (_, value) => value instanceof Float32Array || value instanceof Int32Array
      ? [...value] : value));
    const kept = plain(shared.load(network.save()).getPreparation());
    network.setPreparation({ columns: { features: 3 }, components: 2, mean: [1, 2, 3], directions: [1, 0, 0, 0, 1, 0],
      eigenvalues: [2, 1] });
    const other = plain(shared.load(network.save()).getPreparation());
    const errors = [{ columns: { features: 3 } }, { columns: { ...columns, of: [label] } },
      { columns: { ...columns, of: [label, label, label] } }].map(wrong => failure(() => network.setPreparation(wrong)).message);
    network.setPreparation(null);
    return [kept, other, [none, network.getPreparation()], errors];
  });
  assert.deepEqual(kept.columns.of.map(({ name, position, role, type, features, fill, missing }) =>
    [name, position, role, type, features, fill, missing]), [['width', 1, 'feature', 'number', 1, 1.5, 'fill'],
    ['height', 2, 'feature', 'number', 1, 2, 'fill'], ['kind', 3, 'label', 'auto', 0, 0, 'refuse']]);
  assert.deepEqual([kept.columns.featureColumns, kept.columns.features, kept.columns.classNames],
    [2, 2, ['elm', 'eiche, \u00fc']]);
  assert.deepEqual(kept.scale, { features: 2, offset: [1.5, 2], factor: [0.5, 4] });
  assert.deepEqual([other.components, other.mean, other.directions, other.eigenvalues],
    [2, [1, 2, 3], [1, 0, 0, 0, 1, 0], [2, 1]]);
  assert.deepEqual(none, [null, null]);
  assert.match(errors[0], /3/);
  assert.match(errors[1], /preparation\.columns\.of has 1 elements, but needs 3/);
  assert.match(errors[2], /columns\.of\[0\] has the role 1 where 0 is due/);
});

test('the example of XOR prints what the network has learnt', async () => {
  const example = await open('package/examples/xor.html');
  await example.waitForFunction(() => document.querySelector('#output').textContent.includes('1 xor 1'));
  const text = await example.textContent('#output');
  const values = [...text.matchAll(/xor \d = ([\d.]+)/g)].map(([, value]) => Math.round(value));
  assert.deepEqual(values, [0, 1, 1, 0]);
  await example.close();
});

test('the example of a table trains on a file that is dropped into it', async () => {
  const example = await open('package/examples/table.html');
  const rows = Array.from({ length: 90 }, (_, i) => `${i % 3 + (i * 7 % 10) / 20},${(i * 3 % 10) / 10},${['low', 'middle', 'high'][i % 3]}`);
  await example.evaluate(text => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'kinds.csv'));
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true }));
  }, `x,y,kind\n${rows.join('\n')}\n`);
  await example.waitForFunction(() => /%|GLNN|no /.test(document.querySelector('#output').textContent));
  const text = await example.textContent('#output');
  assert.match(text, /90 rows, 2 features, classes high, low, middle: (9\d|100)\.\d %/);
  const drawn = await example.evaluate(() => document.querySelector('#curve').getContext('2d')
    .getImageData(0, 0, 800, 300).data.some(value => value !== 0));
  assert.ok(drawn);
  await example.close();
});
