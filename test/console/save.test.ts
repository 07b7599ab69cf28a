import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';

const test = suite('console: tables as CSV');

// What browsers load is compiled by itself.
const COMPILED = new URL('../../browser/console/parts/save.js', import.meta.url).href;
const { csvOf } = (await import(COMPILED)) as Readonly<{
  csvOf(rows: readonly (readonly (string | number | null)[])[]): string;
}>;

test('cells are quoted where they must be, and lines end as RFC 4180 says', () => {
  const rows = [
    ['Day', 'Received', 'Half within'],
    ['a "b", c', 3, null],
    ['two\nlines', -1.5, 0],
  ];
  assert.is(csvOf(rows), 'Day,Received,Half within\r\n"a ""b"", c",3,\r\n"two\nlines",-1.5,0\r\n');
});

test('no text is a formula to a spreadsheet', () => {
  const formulas = ['=1+1', '+1', '-1', '@A1', '\t=1', '\r=1', ' =1', '|x', '%x'];
  for (const text of formulas) assert.match(csvOf([[text]]), /^"?'/, JSON.stringify(text));
  assert.is(csvOf([['a=1', -1]]), 'a=1,-1\r\n');
});
