import * as assert from 'uvu/assert';
import type { Box } from '../../domain/submission/processingResult.ts';
import { paperBox } from '../../processing/picture/crop.ts';
import { decode } from '../../processing/picture/pixels.ts';
import { suite } from '../harness.ts';

const test = suite('processing/margins');

const SIZE = { width: 400, height: 500 };
const TABLE = '#403428';

/** A page of words on a dark table, turned about its middle by some degrees, with something laid over it. */
const paperOf = async (degrees: number, over = ''): Promise<Box> => {
  const lines = Array.from(
    { length: 16 },
    (_, row) =>
      `<text x="70" y="${80 + row * 24}" font-size="15">Line ${row} with words, 3 x 4.50 and ${row}3.20</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="500" font-family="sans-serif"><rect width="100%" height="100%" fill="${TABLE}"/><g transform="rotate(${degrees} 200 250)"><rect x="40" y="40" width="320" height="420" fill="#f4f4f0"/>${lines.join('')}</g>${over}</svg>`;
  return paperBox(await decode({ bytes: Buffer.from(svg), page: 0 }, SIZE));
};

const isNear = (found: Box, { left, top, right, bottom }: Box): void => {
  const edges = [found.left - left, found.top - top, found.right - right, found.bottom - bottom];
  assert.ok(Math.max(...edges.map(Math.abs)) <= 1, JSON.stringify(found));
};

const PAPER = { left: 40, top: 40, right: 360, bottom: 460 };

test('a table round the paper is cut off', async () => {
  isNear(await paperOf(0), PAPER);
});

test('a shadow on the paper is not cut off where letters are in it', async () => {
  const shadow = '<rect x="40" y="40" width="110" height="420" fill="#000" opacity="0.5"/>';
  const { left, ...rest } = await paperOf(0, shadow);
  assert.ok(left <= 71, `${left}`);
  isNear({ left: PAPER.left, ...rest }, PAPER);
});

test('letters at the corners of paper that lies askew are kept', async () => {
  const { left, right } = await paperOf(14);
  // The first words of the last line, and the last ones of the first, were they turned with it.
  assert.ok(left <= 30, `${left}`);
  assert.ok(right >= 350, `${right}`);
});
