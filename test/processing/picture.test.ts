import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { mapBox } from '../../processing/picture/affine.ts';
import { decode, rotated } from '../../processing/picture/pixels.ts';
import { skewOf } from '../../processing/picture/skew.ts';
import { straighten, turnedRound } from '../../processing/picture/straighten.ts';
import { pagesToRead } from '../../processing/read/picture.ts';
import { suite } from '../harness.ts';
import { directories } from './hostileFiles.ts';

const test = suite('processing/picture');

const [WIDTH, HEIGHT] = [600, 800];
const MARK = { left: 380, top: 520, right: 440, bottom: 560 };

/** A page of words, with one black mark. */
const drawPage = (): Promise<Buffer> => {
  const lines = Array.from(
    { length: 22 },
    (_, row) =>
      `<text x="80" y="${120 + row * 26}" font-size="18">Line ${row} with words, 3 x 4.50 and ${row}3.20</text>`,
  );
  const { left, top, right, bottom } = MARK;
  const mark = `<rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif"><rect width="100%" height="100%" fill="#e8e8e0"/>${lines.join('')}${mark}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
};

let page: Promise<Buffer> | undefined;
const turned = async (degrees: number): Promise<Buffer> => {
  page ??= drawPage();
  return sharp(await page)
    .rotate(degrees, { background: '#e8e8e0' })
    .png({ compressionLevel: 1 })
    .toBuffer();
};

for (const degrees of [-20, -7.5, -1.4, 0, 2.1, 9])
  test(`lines that lie ${degrees}° askew are levelled, also where they run down`, async () => {
    const size = { width: WIDTH, height: HEIGHT };
    const grey = await decode({ bytes: await turned(degrees), page: 0 }, size);
    const found = skewOf(grey);
    assert.is(found.sideways, false);
    assert.ok(Math.abs(found.degrees + degrees) < 0.35, `${found.degrees}`);
    const down = skewOf(await rotated(grey, 270, 255));
    assert.is(down.sideways, true);
    assert.ok(Math.abs(down.degrees + degrees) < 0.35, `${down.degrees}`);
  });

/** Where the mark is in a picture: the box of the rows and columns that are mostly black there. */
const blackest = ({ data, width, height }: { data: Uint8Array; width: number; height: number }) => {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 3; y < height - 3; y += 1)
    for (let x = 3; x < width - 3; x += 1) {
      if ((data[y * width + x] ?? 255) > 60) continue;
      const isBlack = (dx: number, dy: number): boolean => (data[(y + dy) * width + x + dx] ?? 255) <= 60;
      if (![-3, 0, 3].every((dy) => [-3, 0, 3].every((dx) => isBlack(dx, dy)))) continue;
      [left, top, right, bottom] = [
        Math.min(left, x),
        Math.min(top, y),
        Math.max(right, x),
        Math.max(bottom, y),
      ];
    }
  return { left: left - 3, top: top - 3, right: right + 4, bottom: bottom + 4 };
};

for (const degrees of [0, 3, 90, 180, 270])
  test(`a place in a picture turned by ${degrees}° is mapped to the page as it came`, async () => {
    const bytes = await turned(degrees);
    const straight = await straighten({ bytes, page: 0 });
    const truth = blackest(await decode({ bytes, page: 0 }, straight.page));
    for (const { picture, toPage, page } of [straight, turnedRound(straight)]) {
      const { left, top, right, bottom } = mapBox(toPage, blackest(picture), page);
      for (const [found, real] of [
        [left, truth.left],
        [top, truth.top],
        [right, truth.right],
        [bottom, truth.bottom],
      ] as const)
        assert.ok(
          Math.abs(found - real) <= 4,
          `${[left, top, right, bottom]} is not ${Object.values(truth)}`,
        );
    }
  });

test('EXIF says which way is up', async () => {
  const bytes = await sharp(await turned(90))
    .withMetadata({ orientation: 8 })
    .jpeg()
    .toBuffer();
  const { page: size, picture } = await straighten({ bytes, page: 0 });
  assert.equal(size, { width: WIDTH, height: HEIGHT });
  assert.ok(picture.height > picture.width);
});

test('a page of a picture file that is another one made small is not read', async () => {
  assert.equal(await pagesToRead('front', directories(3, false, [400, 50, 300])), [0, 2]);
  assert.equal(await pagesToRead('front', directories(2, false, [40, 400])), [1]);
  assert.equal(await pagesToRead('front', directories(2)), [0, 1]);
});
