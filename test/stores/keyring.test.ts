import * as assert from 'uvu/assert';
import { systemClock } from '../../kernel/clock.ts';
import { StoreMisconfigured } from '../../kernel/errors.ts';
import { hmacId } from '../../kernel/hmac.ts';
import { encrypt } from '../../kernel/sealing.ts';
import type { Tables } from '../../stores/documents/port.ts';
import { sealedSubjectKeys, subjectKeys } from '../../stores/events/subjectKeys.ts';
import { generationOf, REFRESH_MS, storedKeyring } from '../../stores/keyring/keyring.ts';
import { fingerprintOf, masterRoot, type Roots } from '../../stores/keyring/root.ts';
import { rotateKeys } from '../../stores/keyring/rotate.ts';
import { failure, withStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('wrapping keys');
const keyOf = (n: number): Uint8Array => Buffer.alloc(32, n);
const { signal } = new AbortController();
const noWait = async (): Promise<void> => undefined;

/** Master keys, the present one first. */
const rootsOf = (...keys: readonly Uint8Array[]): Roots => ({
  master: () => keys,
  kms: null,
  current: () => masterRoot(keys[0] as Uint8Array),
  next: () => masterRoot(keys[0] as Uint8Array),
  replace: () => undefined,
});

const ringOf = (tables: Tables, roots: Roots, elapsedMs = () => performance.now()) =>
  storedKeyring({ tables, roots, clock: systemClock, elapsedMs });

const loaded = async (tables: Tables, ...keys: readonly Uint8Array[]) => {
  const keyring = ringOf(tables, rootsOf(...keys));
  await keyring.load();
  return keyring;
};

const rotate = async (tables: Tables, ...keys: readonly Uint8Array[]) => {
  const keyring = await loaded(tables, ...keys);
  const sealed = [sealedSubjectKeys];
  const roots = rootsOf(...keys);
  return rotateKeys({ tables, keyring, roots, sealed, clock: systemClock }, signal, undefined, noWait);
};

const generations = async (tables: Tables): Promise<readonly number[]> => {
  const rows = await tables.list<{ wrapped: string }>('subjectKeys');
  return [...new Set(rows.map(({ row }) => generationOf(row.wrapped)))];
};

test(
  'data that was sealed under the master key itself opens, and is named as before [sealing-2]',
  withStores(async ({ documents: { tables } }) => {
    const [old, key] = [keyOf(7), keyOf(9)];
    const wrapped = encrypt(old, Buffer.alloc(12, 1), 'subject key of sub_1', key);
    await tables.insert('subjectKeys', 'sub_1', { wrapped });
    await tables.insert('masterKey', 'fingerprint', { fingerprint: fingerprintOf(old) });
    assert.instance(await failure(loaded(tables, keyOf(8))), StoreMisconfigured);
    for (const keys of [[old], [keyOf(8), old], [old]]) {
      const keyring = await loaded(tables, ...keys);
      assert.is(keyring.nameOf('email', 'a'), hmacId(old, 'email', 'a'));
      assert.equal(await subjectKeys({ tables, keyring }).obtain('sub_1'), new Uint8Array(key));
      if (keys.length > 1) break;
    }
  }),
);

test(
  'new data is sealed and named under drawn keys, the same for all who start at once',
  withStores(async ({ documents: { tables } }) => {
    const rings = await Promise.all(Array.from({ length: 5 }, () => loaded(tables, keyOf(7))));
    const names = new Set(rings.map((ring) => ring.nameOf('email', 'a')));
    assert.is(names.size, 1);
    assert.not.ok(names.has(hmacId(keyOf(7), 'email', 'a')));
    const [one, other] = rings.map((keyring) => subjectKeys({ tables, keyring }));
    assert.equal(await one?.obtain('sub_1'), await other?.obtain('sub_1'));
    assert.equal(await generations(tables), [1]);
  }),
);

test(
  'a rotation seals all rows anew, those of running processes too; names stay [sealing-2]',
  withStores(async ({ documents: { tables } }) => {
    const time = { now: 0 };
    const running = ringOf(tables, rootsOf(keyOf(7)), () => time.now);
    await running.load();
    const keys = subjectKeys({ tables, keyring: running });
    const before = new Map<string, Uint8Array | null>();
    for (let n = 0; n < 600; n += 1) before.set(`sub_${n}`, await keys.obtain(`sub_${n}`, true));
    const name = running.nameOf('email', 'a');
    const rotation = await rotate(tables, keyOf(7));
    assert.equal([rotation?.generation, rotation?.resealed, rotation?.resumed], [2, 600, false]);
    assert.equal(await generations(tables), [2]);
    time.now += REFRESH_MS;
    before.set('late', await keys.obtain('late', true));
    assert.equal(await generations(tables), [2], 'a process learns of it by itself');
    const fresh = await loaded(tables, keyOf(7));
    assert.is(fresh.nameOf('email', 'a'), name);
    const found = await subjectKeys({ tables, keyring: fresh }).find(before.keys());
    for (const [subject, key] of before) assert.equal(found.get(subject), key);
    const unaware = subjectKeys({ tables, keyring: running });
    assert.is((await unaware.find(before.keys())).size, 601, 'and opens what it has not seen before');
  }),
);

test(
  'a new master key opens all beside the one before it; after a rotation alone [sealing-2]',
  withStores(async ({ documents: { tables } }) => {
    const keyring = await loaded(tables, keyOf(7));
    const key = await subjectKeys({ tables, keyring }).obtain('sub_1');
    assert.match((await failure(loaded(tables, keyOf(8)))).message, 'MASTER_KEY_PREVIOUS');
    await loaded(tables, keyOf(8), keyOf(7));
    await rotate(tables, keyOf(8), keyOf(7));
    assert.equal(await subjectKeys({ tables, keyring: await loaded(tables, keyOf(8)) }).obtain('sub_1'), key);
    assert.instance(await failure(loaded(tables, keyOf(7))), StoreMisconfigured);
    await rotate(tables, keyOf(8));
    assert.equal(await subjectKeys({ tables, keyring: await loaded(tables, keyOf(8)) }).obtain('sub_1'), key);
  }),
);

test(
  'a rotation that was cut short is continued, not begun again [sealing-3]',
  withStores(async ({ documents: { tables } }) => {
    const keyring = await loaded(tables, keyOf(7));
    const keys = subjectKeys({ tables, keyring });
    for (let n = 0; n < 1_200; n += 1) await keys.obtain(`sub_${n}`, true);
    const stop = new AbortController();
    const ports = {
      tables,
      keyring,
      roots: rootsOf(keyOf(7)),
      sealed: [sealedSubjectKeys],
      clock: systemClock,
    };
    const cut = await rotateKeys(ports, stop.signal, () => stop.abort(), noWait);
    assert.is(cut, null);
    assert.equal([...(await generations(tables))].sort(), [1, 2]);
    const rotation = await rotate(tables, keyOf(7));
    assert.equal([rotation?.generation, rotation?.resumed], [2, true]);
    assert.is(rotation?.resealed, 700);
    assert.equal(await generations(tables), [2]);
  }),
);

test(
  'the next master key replaces the present one once everything is under it, not before [sealing-2]',
  withStores(async ({ documents: { tables } }) => {
    const keyring = await loaded(tables, keyOf(7));
    const keys = subjectKeys({ tables, keyring });
    for (let n = 0; n < 600; n += 1) await keys.obtain(`sub_${n}`, true);
    let replaced = 0;
    const replace = (): void => {
      replaced += 1;
    };
    const roots = { ...rootsOf(keyOf(7)), replace };
    const ports = { tables, keyring, roots, sealed: [sealedSubjectKeys], clock: systemClock };
    const stop = new AbortController();
    assert.is(await rotateKeys(ports, stop.signal, () => stop.abort(), noWait), null);
    assert.equal([replaced, (await generations(tables)).length], [0, 2]);
    assert.ok(await rotateKeys(ports, signal, undefined, noWait));
    assert.equal([replaced, await generations(tables)], [1, [2]]);
  }),
);
