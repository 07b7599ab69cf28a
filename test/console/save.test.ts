import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';

const test = suite('console: tables as CSV');

// What browsers load is compiled by itself.
const COMPILED = new URL('../../browser/console/parts/save.js', import.meta.url).href;
type Table = readonly (readonly (string | number | null)[])[];
const { csvOf, tableOf } = (await import(COMPILED)) as Readonly<{
  csvOf(rows: Table): string;
  tableOf(rows: readonly object[]): Table;
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

test('rows of a list have a column for each member of any of them', () => {
  const rows = [
    { id: 'a', workflow: { slug: 'receipt' }, files: [1, 2], isNew: true, claim: null },
    { id: 'b', workflow: { slug: 'form' }, claim: { by: 'Ann' }, more: 1.5 },
  ];
  assert.equal(tableOf(rows), [
    ['id', 'workflow.slug', 'files', 'isNew', 'claim', 'claim.by', 'more'],
    ['a', 'receipt', '[1,2]', 'true', null, null, null],
    ['b', 'form', null, null, null, 'Ann', 1.5],
  ]);
  assert.equal(tableOf([]), [[]]);
});
