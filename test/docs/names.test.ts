import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { echoedNames } from '../../domain/submission/echoed.ts';
import { companyRoles, roles } from '../../kernel/scope.ts';
import { suite } from '../harness.ts';

const test = suite('names in pages');

const contract = readFileSync('docs/contract.md', 'utf8');

for (const rule of ['sessions-7', 'jobs-1', 'webhooks-5'])
  test(`${rule} names what is echoed`, () => {
    const [line = ''] = new RegExp(`\\*\\*${rule}\\*\\*.*`).exec(contract) ?? [];
    assert.equal(
      echoedNames.filter((name) => !line.includes(`\`${name}\``)),
      [],
    );
  });

test('docs/people.md names every role', () => {
  const page = readFileSync('docs/people.md', 'utf8');
  const [first = ''] = /.*Each has one role.*/.exec(page) ?? [];
  assert.equal(
    roles.filter((role) => !first.includes(`\`${role}\``)),
    [],
  );
});

test('a page and a rule name the roles of a company in the order in which they count', () => {
  const list = new Intl.ListFormat('en-GB').format(companyRoles);
  assert.match(readFileSync('docs/people.md', 'utf8'), `the first of ${list}`);
  assert.match(contract, `the first role of ${list} counts`);
});
