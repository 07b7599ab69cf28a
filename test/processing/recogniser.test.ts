import * as assert from 'uvu/assert';
import type { Size } from '../../processing/picture/pixels.ts';
import { boxOf, type Rectangle } from '../../processing/picture/rectangle.ts';
import { detect } from '../../processing/read/ocr/detect.ts';
import { isUpsideDown } from '../../processing/read/ocr/direction.ts';
import type { Model, Tensor } from '../../processing/read/ocr/models.ts';
import { createRecogniser } from '../../processing/read/ocr.ts';
import { suite } from '../harness.ts';

const test = suite('processing/read: a recogniser, with scripted models');

/** A white picture, or one that is white above and black below. */
const pictureOf = ({ width, height }: Size, black = 0) => ({
  data: Uint8Array.from({ length: width * height }, (_, at) => (at < (1 - black) * width * height ? 255 : 0)),
  width,
  height,
});

type Part = readonly [left: number, top: number, right: number, bottom: number];

/** A model that finds text in these parts of any picture (shares of its sides), and what it was given. */
const finding = (...parts: readonly Part[]) => {
  const given: Tensor[] = [];
  const model: Model = async (input) => {
    given.push(input);
    const [height = 0, width = 0] = input.sides.slice(2);
    const data = new Float32Array(width * height);
    for (const [left, top, right, bottom] of parts)
      for (let y = top * height; y < bottom * height; y += 1)
        for (let x = left * width; x < right * width; x += 1) data[y * width + x] = 0.9;
    return { data, sides: [1, 1, height, width] };
  };
  return { model, given };
};

/** A model that gives one answer after the other, the last for ever, and how often it was asked. */
const answering = (sides: readonly number[], ...answers: readonly (readonly number[])[]) => {
  const asked: Tensor[] = [];
  const model: Model = async (input) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(input);
    return { data: Float32Array.from(answer), sides };
  };
  return { model, asked };
};

const middles = (found: readonly Rectangle[]) =>
  found.map((one) => [Math.round(one.middle.x), Math.round(one.middle.y)]);

test('text is searched in sides that are multiples of 32, and found in pixels of the picture', async () => {
  const { model, given } = finding([0.25, 0.25, 0.75, 0.375]);
  const found = await detect(pictureOf({ width: 250, height: 330 }), model);
  assert.equal(given[0]?.sides, [1, 3, 320, 256]);
  assert.equal(middles(found), [[125, Math.round(330 * 0.3125)]]);
  const { left = 0, right = 0 } = found[0] ? boxOf(found[0]) : {};
  assert.ok(left > 30 && left < 62 && right > 187 && right < 220, `${left} to ${right}`);
});

test('a large picture is searched in a copy of at most 0.7 million pixels', async () => {
  const { model, given } = finding([0.25, 0.5, 0.75, 0.515625]);
  const found = await detect(pictureOf({ width: 1_600, height: 3_200 }), model);
  const [height = 0, width = 0] = given[0]?.sides.slice(2) ?? [];
  assert.ok(width * height < 720_000 && width * height > 600_000, `${width} by ${height}`);
  const [middle] = middles(found);
  assert.ok(middle && Math.abs((middle[0] ?? 0) - 800) < 5 && Math.abs((middle[1] ?? 0) - 1_625) < 10);
});

test('a model is given blue, green and red less their means, by their deviations', async () => {
  const { model, given } = finding();
  assert.equal(await detect(pictureOf({ width: 64, height: 32 }, 0.5), model), []);
  const { data } = given[0] ?? { data: new Float32Array() };
  const rounded = [data[0], data[64 * 32], data[2 * 64 * 32], data[64 * 32 - 1]].map((one) =>
    one?.toFixed(3),
  );
  assert.equal(rounded, ['2.249', '2.429', '2.640', '-2.118']);
});

const line = (width: number, y: number): Rectangle => ({
  middle: { x: 160, y },
  width,
  height: 20,
  direction: { x: 1, y: 0 },
});
const page = pictureOf({ width: 320, height: 320 });

test('the sum of what its longest lines say tells whether a page stands on its head', async () => {
  const most = answering([1, 2], [0.9, 0.1], [0.45, 0.55]);
  assert.is(await isUpsideDown(page, [line(200, 50), line(300, 100), line(250, 150)], most.model), false);
  assert.equal(
    most.asked.map(({ sides }) => sides),
    Array(3).fill([1, 3, 48, 192]),
  );
  const sure = answering([1, 2], [0.45, 0.55], [0.1, 0.9]);
  assert.is(await isUpsideDown(page, [line(200, 50), line(300, 100)], sure.model), true);
  const none = answering([1, 2], [0, 1]);
  assert.is(await isUpsideDown(page, [], none.model), false);
  await isUpsideDown(
    page,
    Array.from({ length: 40 }, (_, at) => line(200 + at, 7 * at)),
    none.model,
  );
  assert.is(none.asked.length, 12);
});

test('of a line longer than the model’s picture its middle is asked about, not squeezed', async () => {
  const data = page.data.map((value, at) => (at % 320 < 110 || at % 320 >= 210 ? 0 : value));
  const { model, asked } = answering([1, 2], [1, 0]);
  await isUpsideDown({ ...page, data }, [line(300, 50), line(60, 100)], model);
  const [long, short] = asked.map((tensor) => [...tensor.data.subarray(0, 192)]);
  assert.ok(long?.every((value) => value === 1));
  // A short one is followed by nothing.
  assert.is(short?.lastIndexOf(1), 60 * (48 / 20) - 1);
});

/** Steps that say a, b and a blank by their numbers, and nothing by 0. */
const says = (...classes: readonly number[]): readonly number[] =>
  classes.flatMap((best) => [0, 1, 2, 3].map((at) => (at === best ? 0.97 : 0.01)));

const lower: Part = [0.25, 0.6, 0.75, 0.7];
const upper: Part = [0.25, 0.1, 0.75, 0.2];
const read = async (direction: readonly number[], ...texts: readonly (readonly number[])[]) => {
  const transcription = answering([1, 5, 4], ...texts);
  const recogniser = createRecogniser(async () => ({
    detection: finding(upper, lower).model,
    direction: answering([1, 2], direction).model,
    transcription: transcription.model,
    characters: ['a', 'b', ' '],
  }));
  const told: (readonly [said: readonly string[], after: number])[] = [];
  const recognised = await recogniser.recognise(page, 'fil_1', 2, (lines) =>
    told.push([lines.map(({ text }) => text), transcription.asked.length]),
  );
  return { recognised, told };
};

test('each text that was read is told of before the next is read, also one that says nothing', async () => {
  const { recognised, told } = await read([1, 0], says(1, 0, 2, 0, 0), says(0, 0, 0, 0, 0));
  assert.equal(told, [
    [['ab'], 1],
    [[], 2],
  ]);
  assert.equal(
    recognised.read.lines.map(({ text }) => text),
    ['ab'],
  );
  assert.equal(
    [recognised.read.fileId, recognised.read.number, recognised.isUpsideDown],
    ['fil_1', 2, false],
  );
});

test('a page that stands on its head is read turned round, with boxes as it is then', async () => {
  const { recognised } = await read([0, 1], says(1, 0, 3, 0, 2), says(2, 0, 2, 0, 0));
  assert.is(recognised.isUpsideDown, true);
  // The upper text of the picture is read first, and is the lower one of the page.
  assert.equal(
    recognised.read.lines.map(({ text }) => text),
    ['bb', 'a b'],
  );
  const [first, last] = recognised.read.lines.map(({ place }) => place.box);
  const middle = (box: typeof first): number => ((box?.top ?? 0) + (box?.bottom ?? 0)) / 2;
  assert.ok(Math.abs(middle(first) - 0.35 * 320) < 3, `${middle(first)}`);
  assert.ok(Math.abs(middle(last) - 0.85 * 320) < 3, `${middle(last)}`);
});
