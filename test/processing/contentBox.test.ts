import * as assert from 'uvu/assert';
import { contentBox } from '../../processing/picture/crop.ts';
import type { Grey } from '../../processing/picture/pixels.ts';
import { suite } from '../harness.ts';

const test = suite('processing/contentBox');

const page = (ink: readonly (readonly [x: number, y: number])[]): Grey => {
  const pixels = new Uint8Array(40 * 30).fill(250);
  for (const [x, y] of ink) pixels[y * 40 + x] = 10;
  return { data: pixels, width: 40, height: 30 };
};

const block = (left: number, top: number) =>
  Array.from({ length: 16 }, (_, index) => [left + (index % 4), top + (index >> 2)] as const);

test('the content with a margin, without specks', () => {
  assert.equal(contentBox(page([...block(10, 12), [1, 1], [38, 28]])), {
    left: 8,
    top: 10,
    right: 16,
    bottom: 18,
  });
});

test('content at an edge, and none at all', () => {
  assert.equal(contentBox(page(block(0, 26))), { left: 0, top: 24, right: 6, bottom: 30 });
  assert.equal(contentBox(page([])), { left: 0, top: 0, right: 40, bottom: 30 });
});
