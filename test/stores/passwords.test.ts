import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../kernel/errors.ts';
import { argon2Passwords } from '../../stores/passwords.ts';
import { suite } from '../harness.ts';

const test = suite('passwords');
const passwords = argon2Passwords();
const hash = (password: string) => passwords.hash(password, 'a');
const verify = (stored: string | null, password: string) => passwords.verify(stored, password, 'a');

test('a password is kept as argon2id of at least the cost that OWASP asks for, with a salt of its own', async () => {
  const [one, two] = await Promise.all([hash('correct horse'), hash('correct horse')]);
  for (const text of [one, two]) assert.match(text, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.is.not(one, two);
  assert.equal(await Promise.all([verify(one, 'correct horse'), verify(one, 'correct horsf')]), [
    true,
    false,
  ]);
});

test('without a hash no password is right', async () => {
  assert.is(await verify(null, 'wrong horse'), false);
});

test.long('a check without a hash takes as long', async () => {
  const stored = await hash('correct horse');
  const time = async (of: string | null): Promise<number> => {
    const started = performance.now();
    assert.is(await verify(of, 'wrong horse'), false);
    return performance.now() - started;
  };
  const known: number[] = [];
  const unknown: number[] = [];
  for (let n = 0; n < 9; n += 1) {
    known.push(await time(stored));
    unknown.push(await time(null));
  }
  const least = Math.min(...known);
  // The quickest of each, since a busy machine only makes things slower.
  assert.ok(Math.min(...unknown) > least * 0.4, `${Math.min(...unknown)} ms against ${least} ms`);
});

test('the same letters composed otherwise are the same password', async () => {
  assert.is(await verify(await hash('caf\u00e9 au lait'), 'cafe\u0301 au lait'), true);
});

test('who asks for many passwords makes nobody else wait for them, or be refused', async () => {
  const flood = Array.from({ length: 105 }, () => verify(null, 'x').catch((error: Error) => error));
  let done = 0;
  for (const one of flood) void one.then((answer) => (done += answer === false ? 1 : 0));
  assert.is(await passwords.verify(null, 'x', 'b'), false);
  assert.ok(done < 50, `${done} of the others came before`);
  const refused = (await Promise.all(flood)).filter((answer) => answer instanceof StoreUnavailable);
  assert.is(refused.length, 4);
});

test('passwords beyond those that wait are refused at once, and all others get their turn', async () => {
  const asked = Array.from({ length: 105 }, () => verify(null, 'x').catch((error: Error) => error));
  const answers = await Promise.all(asked);
  assert.is(answers.filter((answer) => answer instanceof StoreUnavailable).length, 3);
  assert.is(answers.filter((answer) => answer === false).length, 102);
  assert.is(await verify(null, 'x'), false);
});
