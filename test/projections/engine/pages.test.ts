import * as assert from 'uvu/assert';
import { collect } from '../../../projections/engine/pages.ts';
import type { Scalar } from '../../../stores/documents/port.ts';
import { suite } from '../../harness.ts';

const test = suite('pages of a query');

const numbers = Array.from({ length: 1_234 }, (_, index) => index);
const asked: number[] = [];
const page = async (limit: number, after: readonly Scalar[] | null) => {
  asked.push(limit);
  const first = after === null ? 0 : Number(after[0]) + 1;
  const items = numbers.slice(first, first + limit);
  const last = items.at(-1);
  return { items, next: last === undefined || last === numbers.at(-1) ? null : [last] };
};

test('collects page after page', async () => {
  assert.equal(await collect(page), { items: numbers, more: false });
});

test('stops at the maximum and says whether there is more', async () => {
  asked.length = 0;
  assert.equal(await collect(page, 600), { items: numbers.slice(0, 600), more: true });
  assert.equal(asked, [500, 100]);
  assert.equal(await collect(page, 1_234), { items: numbers, more: false });
});
