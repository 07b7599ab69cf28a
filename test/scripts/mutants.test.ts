import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { edgesBroken } from '../../scripts/mutants/edges.ts';
import { integrationBroken } from '../../scripts/mutants/integrators.ts';
import { whyNot } from '../../scripts/mutants/mutant.ts';
import { peopleBroken } from '../../scripts/mutants/people.ts';
import { rulesBroken } from '../../scripts/mutants/rules.ts';
import { testsByRule } from '../../scripts/mutants/testsOf.ts';
import { suite } from '../harness.ts';
import { rulesOf } from '../runner/contractTable.ts';

const test = suite('mutants');
const mutants = [...rulesBroken, ...edgesBroken, ...peopleBroken, ...integrationBroken];

test('each breaks a line that is there, once', () => {
  const stale = mutants.flatMap((mutant) => {
    const reason = whyNot(mutant);
    return reason === null ? [] : [`${mutant.rule}: ${reason}`];
  });
  assert.equal(stale, [], 'Name in scripts/mutants where the line is now, and how it reads.');
  assert.ok(mutants.every(({ find, put }) => find !== put));
});

test('what `npm test` leaves out runs last', () => {
  const tests = testsByRule()('uploads-25');
  const places = [...tests.keys()].filter((index) => tests[index]?.includes('.long.'));
  assert.equal(places, [tests.length - 1]);
  assert.ok(tests.length > 1);
});

test('there are sixty at least, each of a rule that the contract has and a test names', () => {
  const rules = rulesOf(readFileSync('docs/contract.md', 'utf8'));
  const testsOf = testsByRule();
  assert.ok(mutants.length >= 60);
  assert.equal(
    mutants.filter(({ rule }) => !rules.includes(rule) || testsOf(rule).length === 0),
    [],
  );
});
