import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { contrasted } from '../../processing/picture/enhance.ts';
import { letterHeight } from '../../processing/picture/letters.ts';
import { quantile } from '../../processing/picture/pixels.ts';
import { straighten } from '../../processing/picture/straighten.ts';
import { suite } from '../harness.ts';

const test = suite('processing/contrast');

const [WIDTH, HEIGHT] = [600, 800];

/** A page of words in some grey on paper of brightness 240, turned by some degrees. */
const page = (ink: number, degrees = 0): Promise<Buffer> => {
  const lines = Array.from(
    { length: 20 },
    (_, row) =>
      `<text x="60" y="${100 + row * 32}" font-size="22">Line ${row} with words, 3 x 4.50 and ${row}3.20</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" fill="rgb(${ink},${ink},${ink})"><rect width="100%" height="100%" fill="#f0f0f0"/>${lines.join('')}</svg>`;
  return sharp(Buffer.from(svg)).rotate(degrees, { background: '#f0f0f0' }).png().toBuffer();
};

const straight = async (ink: number, degrees?: number) =>
  (await straighten({ bytes: await page(ink, degrees), page: 0 })).picture;

test('faint print is made as dark as print usually is: what is found by its darkness is the same as in dark print', async () => {
  const dark = await straight(20);
  const faint = await straight(205);
  assert.ok(quantile(faint.data, 0.01) < 120, `${quantile(faint.data, 0.01)}`);
  assert.ok(Math.abs(faint.height - dark.height) <= 16, `${faint.height} is not ${dark.height}`);
  assert.ok(Math.abs(faint.width - dark.width) <= 16, `${faint.width} is not ${dark.width}`);
  assert.ok(Math.abs((letterHeight(faint) ?? 0) - (letterHeight(dark) ?? 0)) <= 1);
});

test('lines of faint print are levelled', async () => {
  const [level, askew] = [await straight(205), await straight(205, 6)];
  assert.ok(askew.height < level.height + 40, `${askew.height} is not ${level.height}`);
});

const noisy = async (mean: number, sigma: number) => {
  const create = {
    width: WIDTH,
    height: HEIGHT,
    channels: 3,
    background: '#fff',
    noise: { type: 'gaussian', mean, sigma },
  } as const;
  const data = await sharp({ create }).greyscale().raw().toBuffer();
  return { data, width: WIDTH, height: HEIGHT };
};

test('dark print, bare paper and its noise stay as they are', async () => {
  const print = new Uint8Array(1_000).fill(240).fill(100, 0, 50);
  for (const picture of [
    { data: print, width: 100, height: 10 },
    { data: new Uint8Array(1_000).fill(240), width: 100, height: 10 },
    await noisy(225, 5),
  ])
    assert.equal(contrasted(picture, picture).data, picture.data);
});
