import * as assert from 'uvu/assert';
import { changesBetween } from '../../cli/changes.ts';
import { collect } from '../../cli/pages.ts';
import type { Scalar } from '../../stores/documents/port.ts';
import { suite } from '../harness.ts';

const test = suite('the command line: pages and changes');

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

test('stops at what is wanted and tells whether there is more', async () => {
  asked.length = 0;
  assert.equal(await collect(page, 600), { items: numbers.slice(0, 600), more: true });
  assert.equal(asked, [500, 100]);
  assert.equal(await collect(page, 1_234), { items: numbers, more: false });
});

test('changes are told member by member, by JSON Pointer', () => {
  const from = { same: [1], gone: 1, list: [1], deep: { 'a/b~': 1, kept: null } };
  const to = { same: [1], list: [1, 2], deep: { 'a/b~': 2, kept: null }, none: null, added: {} };
  assert.equal(changesBetween(from, to), [
    { pointer: '/gone', from: 1, to: null },
    { pointer: '/list', from: [1], to: [1, 2] },
    { pointer: '/deep/a~1b~0', from: 1, to: 2 },
    { pointer: '/added', from: null, to: {} },
  ]);
  assert.equal(changesBetween({ a: null }, { a: { b: 1 } }), [{ pointer: '/a', from: null, to: { b: 1 } }]);
});
