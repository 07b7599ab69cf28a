import { dictionary } from '@zxcvbn-ts/language-common';
import * as assert from 'uvu/assert';
import { requireGoodPassword } from '../../commands/goodPassword.ts';
import type { DomainError } from '../../kernel/decider.ts';
import { failure } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('good passwords');
const whose = { email: 'Jane.Doe@example.com', companyName: 'ACME Trading' };
type Faults = readonly Readonly<{ pointer: string; detail: string }>[];
const refusal = async (password: string, of: Parameters<typeof requireGoodPassword>[1] = whose) => {
  const { name, facts } = (await failure(requireGoodPassword(password, of))) as DomainError;
  assert.is(name, 'PasswordRefused');
  return facts.errors as Faults;
};
const reasons: readonly Readonly<{ what: string; detail: RegExp; passwords: readonly string[] }>[] = [
  {
    what: 'one of the 10,000 most common ones',
    detail: /^is one of the 10,000 most common passwords/,
    passwords: ['password', 'PassWord', '12345678', '\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18'],
  },
  {
    what: 'the e-mail, or what stands before its @',
    detail: /^has the e-mail/,
    passwords: ['jane.doe@example.com', 'JANE.DOE', 'my jane-doe 2026', 'xjanedoex'],
  },
  {
    what: 'the company’s name',
    detail: /^has the name of the company/,
    passwords: ['ACME Trading', 'acmetrading1', '\uff21cme-Trading!', 'we are acme trading'],
  },
];

for (const { what, detail, passwords } of reasons)
  test(`a password is not, and has not in it, ${what} [invitations-13]`, async () => {
    for (const password of passwords) {
      const errors = await refusal(password);
      assert.equal(
        errors.map(({ pointer }) => pointer),
        ['/password'],
        password,
      );
      assert.match(errors[0]?.detail ?? '', detail);
    }
  });

test('each reason is told, and the password is not [invitations-13]', async () => {
  const errors = await refusal('football', { email: 'football@example.com', companyName: 'Ball' });
  assert.is(errors.length, 3);
  assert.not.match(JSON.stringify(errors), /football/);
});

test('the 10,000th of the list is refused, and what comes after it is not [invitations-13]', async () => {
  await refusal(dictionary.passwords[9_999] ?? '');
  await requireGoodPassword(dictionary.passwords[10_000] ?? '', whose);
});

test('short names, parts of names and other passwords are no reason [invitations-13]', async () => {
  const short = { email: 'al@x.org', companyName: 'ABC' };
  for (const password of ['abc walks along', 'correct horse battery staple', 'pass-al-word!'])
    await requireGoodPassword(password, short);
  await requireGoodPassword('acme is trading with jane', { ...whose, companyName: null });
  await requireGoodPassword('jane and the acme', whose);
});
