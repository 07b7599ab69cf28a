import * as assert from 'uvu/assert';
import { createCredentials, hashKey, type KeyRow } from '../../stores/credentials.ts';
import { suite } from '../harness.ts';
import { countedTables } from './codecControls.ts';

const test = suite('credentials');

const row: KeyRow = {
  keyId: 'key_1',
  hash: hashKey('secret'),
  companyId: null,
  mode: 'live',
  revokedAt: null,
  lastUsedAt: null,
};

test('which key a hash is, is read once; the key itself each time, so that what is revoked elsewhere is refused at once', async () => {
  const { tables, count } = countedTables();
  const [one, two] = [createCredentials(tables), createCredentials(tables)];
  await two.add(row);
  assert.equal(await one.byHash(row.hash), row);
  assert.is(count.reads, 2);
  assert.equal(await one.byHash(row.hash), row);
  assert.is(count.reads, 3);
  await two.revoke('key_1', '2026-11-21T10:00:00.000Z');
  assert.is((await one.byHash(row.hash))?.revokedAt, '2026-11-21T10:00:00.000Z');
});

test('a key that was unknown is found as soon as it is there', async () => {
  const { tables } = countedTables();
  const [one, two] = [createCredentials(tables), createCredentials(tables)];
  assert.is(await one.byHash(row.hash), null);
  await two.add(row);
  assert.equal(await one.byHash(row.hash), row);
});
