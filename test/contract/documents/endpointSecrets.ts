import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { Tables } from '../../../stores/documents/port.ts';
import { createEndpointSecrets } from '../../../stores/endpointSecrets.ts';
import { keyringOf } from '../../controls/keyring.ts';
import type { Declare } from './stage.ts';

const masterKey = randomBytes(32);
const at = (hour: number): string => new Date(Date.UTC(2026, 10, 21, hour)).toISOString();
const secretsIn = (tables: Tables, key = masterKey) =>
  createEndpointSecrets({ tables, keyring: keyringOf(key) });

/**
 * The table `endpointSecrets`, of which each driver keeps the rows: what one process writes, another signs
 * with.
 */
export const endpointSecretTests: Declare = (test, stage) => {
  const ours = () => secretsIn(stage().one.tables);
  const theirs = () => secretsIn(stage().two.tables);

  test('a secret is a key of 32 bytes, as Standard Webhooks libraries take it, and another one each time', async () => {
    const [one, other] = [
      await ours().renew('whe_1', at(0), at(0)),
      await ours().renew('whe_2', at(0), at(0)),
    ];
    assert.match(one, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.is.not(one, other);
    assert.equal(await theirs().validAt('whe_1', at(1)), [one]);
    assert.equal(await theirs().validAt('whe_3', at(1)), []);
  });

  test('former secrets are valid until their time, newest first; a later rotation can only shorten it [endpoints-5]', async () => {
    const first = await ours().renew('whe_r', at(0), at(0));
    const second = await ours().renew('whe_r', at(4), at(1));
    assert.equal(await theirs().validAt('whe_r', at(3)), [second, first]);
    assert.equal(await theirs().validAt('whe_r', at(4)), [second]);
    const third = await ours().renew('whe_r', at(6), at(2));
    assert.equal(await theirs().validAt('whe_r', at(3)), [third, second, first]);
    assert.equal(await theirs().validAt('whe_r', at(5)), [third, second]);
    const fourth = await ours().renew('whe_r', at(3), at(3));
    assert.equal(await theirs().validAt('whe_r', at(3)), [fourth]);
  });

  test('no more than five sign at once: the oldest goes first', async () => {
    const made: string[] = [];
    for (let n = 0; n < 7; n += 1) made.unshift(await ours().renew('whe_m', at(9), at(1)));
    assert.equal(await theirs().validAt('whe_m', at(2)), made.slice(0, 5));
  });

  test('of rotations at once each gives a secret that is valid', async () => {
    const given = await Promise.all(
      [ours, theirs, ours].map((secrets) => secrets().renew('whe_c', at(9), at(1))),
    );
    assert.equal([...(await theirs().validAt('whe_c', at(2)))].sort(), [...given].sort());
  });

  test('rows hold no secret in the open, and open with no other MASTER_KEY and as no other endpoint’s', async () => {
    const { tables } = stage().one;
    const secret = await ours().renew('whe_s', at(0), at(0));
    const found = await tables.read<object>('endpointSecrets', 'whe_s');
    assert.ok(found);
    assert.not.ok(JSON.stringify(found.row).includes(secret.slice(6)));
    await tables.insert('endpointSecrets', 'whe_t', found.row);
    for (const open of [
      () => secretsIn(stage().two.tables, randomBytes(32)).validAt('whe_s', at(1)),
      () => theirs().validAt('whe_t', at(1)),
    ])
      assert.is(await open().then(Boolean, () => 'refused'), 'refused');
  });

  test('what is removed is gone', async () => {
    await ours().renew('whe_d', at(0), at(0));
    await ours().remove('whe_d');
    assert.equal(await theirs().validAt('whe_d', at(1)), []);
  });
};
