import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { testsByRule } from '../../scripts/mutants/testsOf.ts';
import { suite } from '../harness.ts';
import { contractFaults, proofsPage, rulesOf, rulesProvedBy } from './contractTable.ts';

const test = suite('the rules of the contract and their tests');

const page = '<a id="ones-1"></a>A holds\n<a id="two-words-2"></a>B is so';

test('the identifiers of the rules are the anchors of the page', () => {
  assert.equal(rulesOf(page), ['ones-1', 'two-words-2']);
});

test('a test names in brackets the rules that it proves', () => {
  const name = 'one › a list [1, 2] of SHA-256 holds {"a":["b-c"]} [ones-1, two-words-2]';
  assert.equal(rulesProvedBy(name), ['ones-1', 'two-words-2']);
  assert.equal(proofsPage(page, [name]), `## ones-1\n- ${name}\n\n## two-words-2\n- ${name}\n`);
  assert.equal(contractFaults(page, [name, 'two › proves nothing']), []);
});

test('a rule without a test that passed is a fault, so is an unknown one, and one that occurs twice', () => {
  assert.equal(contractFaults(`${page}<a id="ones-1"></a>`, ['one › [ones-1]', 'one › x [ones-9]']), [
    'docs/contract.md names two rules ones-1',
    'docs/contract.md, two-words-2: no test that proves it ran and passed',
    'this test names a rule that docs/contract.md does not have: one › x [ones-9]',
  ]);
});

test('every rule of the page is named by a test', () => {
  const testsOf = testsByRule();
  const rules = rulesOf(readFileSync('docs/contract.md', 'utf8'));
  assert.ok(rules.length > 300);
  assert.equal(
    rules.filter((rule) => testsOf(rule).length === 0),
    [],
  );
});
