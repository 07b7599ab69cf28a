import { runInNewContext } from 'node:vm';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { textOf } from './files.ts';

const test = suite('deploy/mongodb/user.js');

/** What the script, run as mongosh runs it, does with a database that has the user or not. */
const callsOn = (
  hasUser: boolean,
  MONGODB_PASSWORD: string | undefined,
): readonly (readonly [string, ...unknown[]])[] => {
  const calls: (readonly [string, ...unknown[]])[] = [];
  const note =
    (name: string) =>
    (...values: readonly unknown[]): void =>
      void calls.push([name, ...values.map((value) => structuredClone(value))]);
  const databases: Readonly<Record<string, object>> = {
    admin: { auth: note('auth') },
    intake: {
      getUser: (name: string) => (hasUser ? { user: name } : null),
      createUser: note('createUser'),
      updateUser: note('updateUser'),
    },
  };
  const env = { MONGODB_ROOT_PASSWORD: 'of-root', MONGODB_PASSWORD };
  const db = { getSiblingDB: (name: string) => databases[name] };
  runInNewContext(textOf('deploy/mongodb/user.js'), { process: { env }, db, Error });
  return calls;
};

test('makes the user, which may read and write one database', () => {
  const roles = [{ role: 'readWrite', db: 'intake' }];
  assert.equal(callsOn(false, 'a-password'), [
    ['auth', 'root', 'of-root'],
    ['createUser', { user: 'intake', pwd: 'a-password', roles }],
  ]);
});

test('gives a user that is there the password, and leaves its rights alone', () => {
  assert.equal(callsOn(true, 'another'), [
    ['auth', 'root', 'of-root'],
    ['updateUser', 'intake', { pwd: 'another' }],
  ]);
});

test('refuses to go on without a password, or with an empty one', () => {
  for (const password of [undefined, ''])
    assert.throws(() => callsOn(false, password), /^MONGODB_PASSWORD must be set/);
});
