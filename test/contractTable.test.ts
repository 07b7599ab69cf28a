import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { contractFaults, rowsOf } from './contractTable.ts';
import { suite } from './harness.ts';

const test = suite('the table of the contract');

const page = [
  '# Rules',
  '| rule | proof |',
  '|---|---|',
  '| A holds | `one › holds` |',
  '| B is \\| so | `one › b`, `two › b` |',
].join('\n');

test('its rows are the rules with the tests that they name', () => {
  assert.equal(rowsOf(page), [
    { line: 4, rule: 'A holds', tests: ['one › holds'] },
    { line: 5, rule: 'B is \\| so', tests: ['one › b', 'two › b'] },
  ]);
});

test('a test that passed proves its rule', () => {
  assert.equal(contractFaults(page, ['one › holds', 'one › b', 'two › b', 'more › runs']), []);
});

test('a star stands for every name that begins so, of which there must be one', () => {
  const starred = '| D holds | `three › refuses *` |';
  assert.equal(contractFaults(starred, ['three › refuses a', 'three › refuses b']), []);
  assert.is(contractFaults(starred, ['three › accepts a']).length, 1);
});

test('a test that did not pass is a fault, and so is a rule without one', () => {
  const faults = contractFaults(`${page}\n| C holds | see there |`, ['one › holds', 'one › b']);
  assert.equal(faults, [
    'docs/contract.md, line 5: this test did not run and pass: two › b',
    'docs/contract.md, line 6: no test proves “C holds”',
  ]);
});

test('the page itself has a row for each of hundreds of rules', () => {
  assert.ok(rowsOf(readFileSync('docs/contract.md', 'utf8')).length > 200);
});
