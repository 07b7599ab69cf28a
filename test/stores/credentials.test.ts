import * as assert from 'uvu/assert';
import { createCredentials, hashKey, isExpired, type KeyRow } from '../../stores/credentials.ts';
import type { Tables } from '../../stores/documents/port.ts';
import { suite } from '../harness.ts';
import { countedTables } from './codecControls.ts';

const test = suite('credentials');

const AT = '2026-11-21T10:00:00.000Z';
const row: KeyRow = {
  keyId: 'key_1',
  hash: hashKey('secret'),
  companyId: null,
  mode: 'live',
  revokedAt: null,
  lastUsedAt: null,
};

/** As a store that tells other processes' commits: each of `two`'s changes is one for `one`. */
const telling = () => {
  const { tables, count } = countedTables();
  let commits = 0;
  const replace: Tables['replace'] = async (...change) => {
    commits += 1;
    return tables.replace(...change);
  };
  return {
    count,
    own: { ...tables, otherCommits: () => commits },
    other: { ...tables, replace, otherCommits: () => 0 },
  };
};

test('a key is read once while no other process commits, and refused at once when one has revoked it [keys-3]', async () => {
  const { own, other, count } = telling();
  const [one, two] = [createCredentials(own), createCredentials(other)];
  await two.add(row);
  for (let n = 0; n < 3; n += 1) assert.equal(await one.byHash(row.hash), row);
  assert.is(count.reads, 2);
  await two.revoke('key_1', AT);
  assert.is((await one.byHash(row.hash))?.revokedAt, AT);
});

test('where a store tells nothing, a key is refused everywhere once its revocation has ended [keys-3]', async () => {
  const { tables, count } = countedTables();
  const [one, two] = [createCredentials(tables, 60), createCredentials(tables, 60)];
  await two.add(row);
  assert.equal(await one.byHash(row.hash), row);
  assert.equal(await one.byHash(row.hash), row);
  assert.is(count.reads, 2);
  let ended = false;
  const asking = (async () => {
    while (!ended) await one.byHash(row.hash);
  })();
  await two.revoke('key_1', AT);
  assert.is((await one.byHash(row.hash))?.revokedAt, AT);
  ended = true;
  await asking;
});

test('a process sees its own changes at once', async () => {
  const { own } = telling();
  const one = createCredentials(own);
  await one.add(row);
  const found = await one.byHash(row.hash);
  if (found) await one.touch(found, new Date(AT));
  assert.is((await one.byHash(row.hash))?.lastUsedAt, AT);
  await one.revoke('key_1', AT);
  assert.is((await one.byHash(row.hash))?.revokedAt, AT);
});

test('a key that was unknown is found as soon as it is there', async () => {
  const { tables } = countedTables();
  const [one, two] = [createCredentials(tables), createCredentials(tables)];
  assert.is(await one.byHash(row.hash), null);
  await two.add(row);
  assert.equal(await one.byHash(row.hash), row);
});

test('where a store tells nothing, the expiry of a key is known everywhere once it is set; the first one stays [keys-11]', async () => {
  const { tables } = countedTables();
  const [one, two] = [createCredentials(tables, 60), createCredentials(tables, 60)];
  await two.add(row);
  let ended = false;
  const asking = (async () => {
    while (!ended) await one.byHash(row.hash);
  })();
  await two.expire('key_1', AT);
  const known = await one.byHash(row.hash);
  ended = true;
  await asking;
  assert.is(known?.expiresAt, AT);
  await two.expire('key_1', '2027-01-01T00:00:00.000Z');
  assert.is((await two.byId('key_1'))?.expiresAt, AT);
  assert.equal([...(await two.byIds(['key_1', 'key_2']))], [['key_1', known]]);
});

test('a rotated key has expired from its time on, others never', () => {
  const at = (ms: number) => new Date(Date.parse(AT) + ms);
  const rotated = { ...row, expiresAt: AT };
  assert.equal(
    [isExpired(rotated, at(-1)), isExpired(rotated, at(0)), isExpired(row, at(0))],
    [false, true, false],
  );
});
