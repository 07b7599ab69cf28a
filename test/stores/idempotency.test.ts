import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../kernel/errors.ts';
import type { Tables } from '../../stores/documents/port.ts';
import type { Begun, Claim, IdempotencyRecords } from '../../stores/idempotency/port.ts';
import { idempotencyRecords } from '../../stores/idempotency/records.ts';
import { DESTRUCTION } from '../controls/destruction.ts';
import { keyringOf } from '../controls/keyring.ts';
import { failure, type Stores, temporaryStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('idempotency records');
type Kept = Readonly<{ answer: string }>;
let stores: Stores;
let records: IdempotencyRecords<Kept>;
test.before(() => {
  stores = temporaryStores();
  const { documents, clock, ids } = stores;
  records = idempotencyRecords<Kept>({
    tables: documents.tables,
    keys: stores.keys,
    keyring: keyringOf(Buffer.alloc(32, 7)),
    clock,
    reserve: () => ({ ulid: ids.ulid(), correlationId: ids.event() }),
  });
});
test.after(() => stores.remove());

let scopes = 0;
const newScope = () => ({ callerId: 'key_1', method: 'POST', path: '/x', idempotencyKey: `k${++scopes}` });
const claimOf = (begun: Begun<Kept>): Claim => {
  if (begun.kind !== 'claimed') throw new Error(`it is ${begun.kind}`);
  return begun.claim;
};
const rows = () => stores.documents.tables.list<Readonly<{ outcome: string | null }>>('idempotency');

test('of many at once one gets the claim', async () => {
  const scope = newScope();
  const begun = await Promise.all(Array.from({ length: 20 }, () => records.begin(scope, 'a')));
  assert.equal(begun.filter(({ kind }) => kind === 'claimed').length, 1);
  assert.equal(begun.filter(({ kind }) => kind === 'running').length, 19);
});

test('of many that take over at once one gets the claim', async () => {
  const scope = newScope();
  const { reserved } = claimOf(await records.begin(scope, 'a'));
  stores.pass(15_000);
  const begun = await Promise.all(Array.from({ length: 20 }, () => records.begin(scope, 'a')));
  const claims = begun.flatMap((one) => (one.kind === 'claimed' ? one.claim : []));
  assert.equal(
    claims.map(({ takenOver, reserved: found }) => [takenOver, found]),
    [[true, reserved]],
  );
});

test('a claim that was taken over neither finishes nor releases', async () => {
  const scope = newScope();
  const slow = claimOf(await records.begin(scope, 'a'));
  stores.pass(15_000);
  const second = claimOf(await records.begin(scope, 'a'));
  await records.release(slow);
  assert.is((await records.begin(scope, 'a')).kind, 'running');
  await records.finish(slow, { answer: 'slow' }, null);
  await records.finish(second, { answer: 'second' }, null);
  await records.finish(slow, { answer: 'slow' }, null);
  const found = await records.begin(scope, 'a');
  assert.equal([found.kind, found.kind === 'answered' && found.outcome], ['answered', { answer: 'second' }]);
});

test('an answer is sealed for its own record: in another’s place it can’t be read', async () => {
  const [one, other] = [newScope(), newScope()];
  await records.finish(claimOf(await records.begin(one, 'a')), { answer: 'one' }, null);
  const held = claimOf(await records.begin(other, 'a'));
  await records.finish(held, { answer: 'other' }, null);
  const { tables } = stores.documents;
  const sealed = (await rows()).find(({ key, row }) => key !== held.key && row.outcome !== null)?.row.outcome;
  const found = await tables.read<object>('idempotency', held.key);
  await tables.replace('idempotency', held.key, found?.version ?? 0, { ...found?.row, outcome: sealed });
  assert.match(
    await records.begin(other, 'a').then(String, (error: Error) => error.message),
    /unable to authenticate/i,
  );
});

test('an answer is sealed under the key of its subject, and with that key’s destruction the request is redacted', async () => {
  const { keys: sealingKeys } = stores;
  const [first, second, unknown] = [newScope(), newScope(), newScope()];
  await sealingKeys.obtain('sub_1');
  const claims = await Promise.all(
    [first, second].map(async (scope) => claimOf(await records.begin(scope, 'a'))),
  );
  const [one, other] = claims as [Claim, Claim];
  await records.finish(one, { answer: 'private' }, 'sub_1');
  const found = await records.begin(first, 'a');
  assert.equal(found.kind === 'answered' && found.outcome, { answer: 'private' });
  await sealingKeys.destroy('sub_1', DESTRUCTION);
  assert.equal(await records.begin(first, 'a'), { kind: 'redacted' });
  assert.is((await records.begin(first, 'b')).kind, 'otherBody');
  // An answer that comes after the redaction is not kept, and no key is made for a subject that has none.
  await records.finish(other, { answer: 'late' }, 'sub_1');
  assert.is((await records.begin(second, 'a')).kind, 'claimed');
  await records.finish(claimOf(await records.begin(unknown, 'a')), { answer: 'x' }, 'sub_2');
  assert.is((await sealingKeys.find(['sub_2'])).size, 0);
});

test('expired records are purged in steps, and the others stay', async () => {
  stores.pass(24 * 3_600_000);
  await records.purge();
  assert.is((await rows()).length, 0);
  await Promise.all(Array.from({ length: 6_000 }, () => records.begin(newScope(), 'a')));
  stores.pass(12 * 3_600_000);
  const fresh = newScope();
  await records.begin(fresh, 'a');
  await records.purge();
  assert.is((await rows()).length, 6_001);
  stores.pass(12 * 3_600_000);
  await records.purge();
  const left = (await rows()).length;
  assert.ok(left > 1 && left < 6_001, `${left} left after one step`);
  await records.purge();
  await records.purge();
  assert.is((await rows()).length, 1);
  assert.is((await records.begin(fresh, 'a')).kind, 'claimed');
});

test('a claim whose end could not be written has ended for its own process alone [operations-9]', async () => {
  const { documents, clock, ids } = stores;
  const full = new StoreUnavailable('database or disk is full');
  let isFull = false;
  const replace: Tables['replace'] = (...given) =>
    isFull ? Promise.reject(full) : documents.tables.replace(...given);
  const terms = {
    keys: stores.keys,
    keyring: keyringOf(Buffer.alloc(32, 7)),
    clock,
    reserve: () => ({ ulid: ids.ulid(), correlationId: ids.event() }),
  };
  const own = idempotencyRecords<Kept>({ ...terms, tables: { ...documents.tables, replace } });
  for (const end of [own.release, (claim: Claim) => own.finish(claim, { answer: 'done' }, null)]) {
    const scope = newScope();
    const claim = claimOf(await own.begin(scope, 'a'));
    isFull = true;
    assert.is(await failure(end(claim)), full);
    isFull = false;
    assert.is((await records.begin(scope, 'a')).kind, 'running');
    const again = claimOf(await own.begin(scope, 'a'));
    assert.equal([again.takenOver, again.reserved], [true, claim.reserved]);
    assert.is((await own.begin(scope, 'a')).kind, 'running');
    await own.finish(again, { answer: 'again' }, null);
    assert.is((await own.begin(scope, 'a')).kind, 'answered');
  }
});

test('a clock that is set back keeps no claim longer [operations-11]', async () => {
  const scope = newScope();
  claimOf(await records.begin(scope, 'a'));
  stores.pass(-3_600_000);
  assert.is((await records.begin(scope, 'a')).kind, 'claimed');
  stores.pass(3_600_000);
});
