import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';

const test = suite('console: rows that are pasted');

type Row = Readonly<Record<string, string | number | null>>;
// What browsers load is compiled by itself.
const COMPILED = new URL('../../browser/console/screens/submission/cells.js', import.meta.url).href;
const { withPasted, isOfSpreadsheet } = (await import(COMPILED)) as Readonly<{
  withPasted(
    rows: readonly Row[],
    names: readonly string[],
    at: Readonly<{ row: number; name: string }>,
    pasted: string,
  ): readonly Row[];
  isOfSpreadsheet(pasted: string): boolean;
}>;
const NAMES = ['a', 'b', 'c'];

test('cells of a spreadsheet go right and below, add rows, and end with the last column', () => {
  const rows = [
    { a: 'x', b: 1, c: null },
    { a: 'y', b: 2, c: 'z' },
  ];
  assert.equal(withPasted(rows, NAMES, { row: 1, name: 'b' }, '5\t6\t7\r\n8\t\r\n'), [
    rows[0],
    { a: 'y', b: '5', c: '6' },
    { a: null, b: '8', c: null },
  ]);
  assert.equal(withPasted([], NAMES, { row: 0, name: 'a' }, '1\n2'), [
    { a: '1', b: null, c: null },
    { a: '2', b: null, c: null },
  ]);
});

test('the text of one cell is pasted as text', () => {
  assert.equal(['12', '12\n', '1\t2', '1\n2'].map(isOfSpreadsheet), [false, false, true, true]);
});
