// The page that reads a digit while somebody draws it.
import { load } from '../package/glnn.js';
import { readPictures } from './data.js';
import { digitNames, generatedDigits, rasterise, side } from './digits.js';
import { download, find, html, receiveFiles, sentenceOf, tell } from './elements.js';
import { Paper } from './paper.js';
import { Recogniser } from './recogniser.js';
import { keep, recall } from './store.js';
import { Training } from './training.js';

const kept = 'digits.safetensors';
const desired = 0.97, mostEpochs = 20; // of the first training

let library, recogniser, training = null, isBusy = true;

async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    tell(sentenceOf(error), true);
    return undefined;
  }
}

function setBusy(isNowBusy) {
  isBusy = isNowBusy;
  const isUsable = !isBusy && recogniser.isReady;
  for (const button of [find('save'), find('again'), ...document.querySelectorAll('.bars button')])
    button.disabled = !isUsable;
}

// ---- Reading

const bars = digitNames.map(digit => {
  const bar = html('span', { class: 'bar' }), share = html('span', { class: 'share' }, '0 %');
  const button = html('button', { 'aria-label': `Learn that this is ${digit}`, disabled: true,
    onclick: () => teach(Number(digit)) }, digit);
  const item = html('li', {}, button, html('span', { class: 'track' }, bar), share);
  find('bars').append(item);
  return { item, bar, share };
});

function showShares(shares) {
  const most = Math.max(...shares);
  bars.forEach(({ item, bar, share }, i) => {
    bar.style.width = `${100 * shares[i]}%`;
    share.textContent = `${Math.round(100 * shares[i])} %`;
    item.classList.toggle('most', most > 0 && shares[i] === most);
  });
}

// The smallest side of a drawing that is scaled to the whole size; smaller ones stay small.
const least = 0.2;
const pixels = () => rasterise(paper.strokes, { least });

function showSeen(bytes) {
  const picture = find('seen').getContext('2d'), image = picture.createImageData(side, side);
  bytes.forEach((byte, i) => image.data.set([byte, byte, byte, 255], 4 * i));
  picture.putImageData(image, 0, 0);
}

let isReading = false, wantsReading = false;

// Reads the drawing; if it has changed meanwhile, once more.
async function read() {
  wantsReading = true;
  if (isReading || !recogniser?.isReady)
    return;
  isReading = true;
  while (wantsReading && recogniser.isReady) {
    wantsReading = false;
    const bytes = paper.isEmpty ? new Uint8Array(side * side) : pixels();
    showSeen(bytes);
    showShares(paper.isEmpty ? new Float32Array(10) : await recogniser.read(bytes));
  }
  isReading = false;
}

const paper = new Paper(find('paper'), () => attempt(read));

// ---- Learning

async function teach(digit) {
  if (isBusy || !recogniser.isReady)
    return;
  if (paper.isEmpty) {
    tell('Draw a digit first.');
    return;
  }
  setBusy(true);
  tell(`The network learns that this is ${digit}.`);
  await attempt(async () => {
    const isRight = await recogniser.teach(pixels(), digit);
    await keep(kept, recogniser.save());
    await read();
    tell(isRight ? `The network has learnt that this is ${digit}.`
      : `The network does not read ${digit} yet. Teach it again, or draw it more clearly.`);
  });
  setBusy(false);
}

// Trains a network on a data set, and resolves with its file.
function train(data) {
  return new Promise((done, fail) => {
    const isEnough = ({ points: { test } }) =>
      test.at(-1)?.quality >= desired || test.length >= mostEpochs;
    const frame = () => {
      const test = training.points.test.at(-1);
      const result = test ? `: it reads ${(100 * test.quality).toFixed(1)} % of the test` : '';
      tell(training.state === 'prepares'
        ? `Shaders are being compiled: ${Math.round(100 * (training.progress ?? 0))} %.`
        : `A network learns from ${data.name}${result}.`);
      if (isEnough(training))
        training.pause();
    };
    const changed = () => {
      if (training?.state === 'ready' && isEnough(training))
        done(training.save());
    };
    training = new Training(library, { frame, changed, failed: fail });
    training.layers = [{ kind: 'dense', units: 128, activation: 'relu' }];
    training.settings.milliseconds = 12;
    training.setData(data).then(() => training.start()).catch(fail);
  });
}

async function learn(data) {
  if (!data)
    throw new Error('These files have neither pictures nor a network.');
  if (data.features !== side * side || data.classNames?.length !== 10)
    throw new Error(`${data.name}: a sample has ${data.features} numbers and one of ` +
      `${data.classNames?.length ?? 'no'} classes, but pictures of digits have ${side * side} ` +
      'numbers and 10 classes.');
  setBusy(true);
  try {
    const bytes = await train(data);
    await use(bytes, `a network that learnt from ${data.name}`);
  } finally {
    await training.close();
    training = null;
    setBusy(false);
  }
}

async function use(bytes, name) {
  await recogniser.load(bytes, name);
  find('model').textContent = `This is ${name}.`;
  tell('Draw a digit.');
  await keep(kept, bytes);
  await read();
}

const receive = files => attempt(async () => {
  const model = files.find(({ name }) => name.endsWith('.safetensors'));
  if (training)
    throw new Error('A network is being trained. Wait until it is ready.');
  if (model)
    await use(new Uint8Array(await model.arrayBuffer()), model.name);
  else
    await learn(await readPictures(files, library));
  setBusy(false);
});

// ---- The page

function listen() {
  find('clear').addEventListener('click', () => paper.clear());
  find('undo').addEventListener('click', () => paper.undo());
  find('save').addEventListener('click', () => attempt(() => download(recogniser.save(), kept)));
  find('again').addEventListener('click', () => attempt(() => learn(generatedDigits())));
  receiveFiles([find('files')], receive);
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, select'))
      return;
    if (/^[0-9]$/.test(event.key))
      teach(Number(event.key));
    else if (event.key === 'c')
      paper.clear();
    else if (event.key === 'z')
      paper.undo();
  });
}

await attempt(async () => {
  library = await load({ log: line => console.debug(line) });
  recogniser = new Recogniser(library, {
    lost: () => tell('The browser has taken the GPU away. The page waits until it is back.'),
    restored: () => {
      tell('The GPU is back.');
      attempt(read);
    } });
  listen();
  const bytes = await recall(kept);
  await (bytes ? use(bytes, 'the network of your last visit') : learn(generatedDigits()));
  setBusy(false);
});
