import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { isNegative, withoutDots } from '../../processing/picture/enhance.ts';
import { letterHeight } from '../../processing/picture/letters.ts';
import { decode, type Grey, quantile } from '../../processing/picture/pixels.ts';
import { straighten } from '../../processing/picture/straighten.ts';
import { suite } from '../harness.ts';

const test = suite('processing/oneBit');

const [WIDTH, HEIGHT] = [440, 500];

/** A page of words on paper, and a margin around it. */
const page = (ink: string, paper: string, margin = paper): Promise<Buffer> => {
  const lines = Array.from(
    { length: 12 },
    (_, row) =>
      `<text x="60" y="${90 + row * 30}" font-size="22">Line ${row}, 3 x 4.50 and ${row}3.20</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" fill="${ink}"><rect width="100%" height="100%" fill="${margin}"/><rect x="40" y="50" width="360" height="400" fill="${paper}"/>${lines.join('')}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
};

const greyOf = async (picture: Promise<Buffer>): Promise<Grey> =>
  decode({ bytes: await picture, page: 0 }, { width: WIDTH, height: HEIGHT });

/** In black and white, where grey is as many dots as it is dark (Floyd and Steinberg's). */
const dotted = ({ data, width, height }: Grey): Grey => {
  const rest = Float32Array.from(data);
  const drawn = data.map((_, at) => {
    const value = (rest[at] ?? 0) < 128 ? 0 : 255;
    const error = (rest[at] ?? 0) - value;
    for (const [step, share] of [
      [1, 7],
      [width - 1, 3],
      [width, 5],
      [width + 1, 1],
    ] as const)
      if (at + step < data.length) rest[at + step] = (rest[at + step] ?? 0) + (error * share) / 16;
    return value;
  });
  return { data: drawn, width, height };
};

test('grey that is drawn by dots is made grey, and letters are found in it', async () => {
  const grey = await greyOf(page('#333', '#d8d8d8'));
  const { data, width, height } = dotted(grey);
  const png = await sharp(data, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
  const { picture, measures } = await straighten({ bytes: png, page: 0 });
  assert.ok(measures.busy < 0.15, `${measures.busy}`);
  assert.ok(Math.abs((letterHeight(picture) ?? 0) - (letterHeight(grey) ?? 0)) <= 2);
});

test('specks of noise vanish, and letters stay', async () => {
  const grey = await greyOf(page('#333', '#d8d8d8'));
  const chance = (at: number): number => Math.abs(Math.sin(at + 1) * 43_758.5) % 1;
  const specked = grey.data.map((value, at) => (chance(at) < 0.02 ? 0 : chance(at) > 0.98 ? 255 : value));
  const clean = await withoutDots({ ...grey, data: specked });
  const left = clean.data.filter((value, at) => grey.data[at] === 0xd8 && value < 128).length;
  assert.ok(left < 0.001 * grey.data.length, `${left} of ${grey.data.length}`);
  assert.ok(Math.abs((letterHeight(clean) ?? 0) - (letterHeight(grey) ?? 0)) <= 2);
});

test('pictures in grey, or in black and white without dots, stay as they are', async () => {
  for (const picture of [await greyOf(page('#333', '#d8d8d8')), dotted(await greyOf(page('#000', '#fff')))])
    assert.is(await withoutDots(picture), picture);
});

test('bright letters on dark ground are made dark on bright; paper on a dark table, and in the dark, stays as it is', async () => {
  const { picture } = await straighten({ bytes: await page('#eee', '#181818'), page: 0 });
  assert.ok(quantile(picture.data, 0.5) > 200, `${quantile(picture.data, 0.5)}`);
  assert.ok((letterHeight(picture) ?? 0) >= 14, `${letterHeight(picture)}`);
  assert.is(isNegative(await greyOf(page('#222', '#eee', '#101010'))), false);
  assert.is(isNegative(await greyOf(page('#030303', '#2a2a2a'))), false);
});
