import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { administer } from '../../commands/administer.ts';
import type { Context, Handle } from '../../commands/handle.ts';
import { keys } from '../../commands/keys.ts';
import { load } from '../../commands/load.ts';
import { apiKey, apiKeyStream } from '../../domain/apiKey.ts';
import { type Credentials, hashKey } from '../../stores/credentials.ts';
import { context, failure, type Stores, temporaryStores } from '../controls/stores.ts';
import { rounds, suite } from '../harness.ts';

const test = suite('keys: commands');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());
const all = () => keys(stores);
const input = { companyId: null, mode: 'live', name: 'server', createdBy: 'operator' } as const;
const stateOf = (id: string) => load(stores.log, apiKey, apiKeyStream(id));
const ruleOf = async (body: Promise<unknown>): Promise<string> => (await failure(body)).name;
const UNKNOWN = '01hv6x3m8q2r5t7w9y0a1b2c3d';

test('only a company that is there gets a key', async () => {
  const refused = all().createKey({ ...input, companyId: `cmp_${UNKNOWN}` }, context);
  assert.is(await ruleOf(refused), 'CompanyNotFound');
  const { id: companyId } = await administer(stores).createCompany('ACME', context);
  const { id } = await all().createKey({ ...input, companyId }, context);
  assert.is((await stateOf(id))?.companyId, companyId);
});

test('a key works at once; its secret and its hash stand in no event [keys-4]', async () => {
  const { id, key, hash } = await all().createKey(input, context);
  assert.match(key, /^aok_[0-9a-f]{64}$/);
  assert.is(hashKey(key), hash);
  assert.is((await stores.credentials.byHash(hash))?.keyId, id);
  const { events } = await stores.log.load(apiKeyStream(id));
  const text = JSON.stringify(events);
  assert.ok(events.length === 1 && !text.includes(key) && !text.includes(hash));
});

test('of a key only the SHA-256 is in the files of the stores, and in its row alone [keys-4]', async () => {
  const { id, key } = await all().createKey(input, context);
  const sha256 = createHash('sha256').update(key).digest('hex');
  const files = readdirSync(stores.folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => readFileSync(join(parentPath, name)));
  assert.ok(
    files.some((bytes) => bytes.includes(id) && bytes.includes(sha256)),
    'the row was read',
  );
  for (const secret of [key, key.slice(4), Buffer.from(key).toString('base64')])
    assert.not.ok(
      files.some((bytes) => bytes.includes(secret)),
      'the plaintext is stored',
    );
  const logged = readdirSync(stores.folder).filter((name) => name.startsWith('log.db'));
  assert.ok(logged.length > 0);
  for (const name of logged)
    assert.not.ok(readFileSync(join(stores.folder, name)).includes(sha256), `the hash is in ${name}`);
});

test('a revoked key is refused from then on; revoking again keeps the first time', async () => {
  const { createKey, revokeKey } = all();
  const { id, hash } = await createKey(input, context);
  await revokeKey(id, context);
  const { revokedAt } = (await stores.credentials.byHash(hash)) ?? {};
  assert.is(revokedAt, stores.clock.now().toISOString());
  stores.pass(1_000);
  await revokeKey(id, context);
  assert.is((await stores.credentials.byHash(hash))?.revokedAt, revokedAt);
  assert.is((await stores.log.load(apiKeyStream(id))).events.length, 2);
  const error = await failure(revokeKey('key_01hv6x3m8q2r5t7w9y0a1b2c3d', context));
  assert.is(error.name, 'ApiKeyNotFound');
});

const crash = () => Promise.reject(new Error('crashed'));
/** The commands, where a change of one stream, or of a row, crashes. */
const broken =
  (at: string): Handle =>
  (decider, stream, command, ...rest) =>
    (command as { type: string }).type === at ? crash() : stores.handle(decider, stream, command, ...rest);
const crashingAt = (at: string, rows: Partial<Credentials> = {}) =>
  keys({ ...stores, handle: broken(at), credentials: { ...stores.credentials, ...rows } });

test('a crash before the event leaves nothing of a key', async () => {
  const before = await stores.log.head();
  assert.is((await failure(crashingAt('CreateApiKey').createKey(input, context))).message, 'crashed');
  assert.is(await stores.log.head(), before);
});

test('a crash before the row leaves a key that nobody has, which can be revoked', async () => {
  const ulid = stores.ids.ulid();
  await failure(crashingAt('', { add: crash }).createKey({ ...input, ulid }, context));
  const id = `key_${ulid}`;
  assert.is((await stateOf(id))?.revoked, false);
  assert.is(await stores.credentials.byId(id), null);
  assert.is((await all().revokeKey(id, context)).revokedAt, stores.clock.now().toISOString());
  assert.is((await stateOf(id))?.revoked, true);
});

test('a crash while revoking leaves the key shut, and revoking again writes the event', async () => {
  const { id, hash } = await all().createKey(input, context);
  await failure(crashingAt('RevokeApiKey').revokeKey(id, context));
  assert.ok((await stores.credentials.byHash(hash))?.revokedAt);
  assert.is((await stateOf(id))?.revoked, false);
  await all().revokeKey(id, context);
  assert.is((await stateOf(id))?.revoked, true);
});

const rotate = (keyId: string, overlapSeconds = 60, over = all(), cause: Context = context) =>
  over.rotateKey({ keyId, overlapSeconds, createdBy: 'usr_1' }, cause);

test('a rotated key gets a successor of its company, mode and name, and expires [keys-11]', async () => {
  const { id: companyId } = await administer(stores).createCompany('ACME', context);
  const old = await all().createKey({ ...input, companyId, mode: 'test' }, context);
  const { made, expiresAt } = await rotate(old.id);
  assert.is(Date.parse(expiresAt) - stores.clock.now().getTime(), 60_000);
  const successor = { keyId: made.id, companyId, mode: 'test', name: 'server', createdBy: 'usr_1' };
  assert.equal(await stateOf(made.id), { ...successor, revoked: false, rotation: null });
  assert.equal((await stateOf(old.id))?.rotation, { newKeyId: made.id, expiresAt });
  assert.is((await stores.credentials.byHash(old.hash))?.expiresAt, expiresAt);
  assert.is((await stores.credentials.byHash(made.hash))?.expiresAt, undefined);
  const { events } = await stores.log.load(apiKeyStream(made.id));
  assert.match(JSON.stringify(events[0]?.data), /"createdBy":"usr_1"/);
});

test('a key keeps who made those that it replaces, through every rotation [keys-15]', async () => {
  const rotateBy = async (keyId: string, createdBy: string) =>
    (await all().rotateKey({ keyId, overlapSeconds: 0, createdBy }, context)).made.id;
  const behind = async (id: string) => {
    const key = await stateOf(id);
    return [key?.createdBy, key?.madeBefore];
  };
  const { id } = await all().createKey({ ...input, createdBy: 'usr_1' }, context);
  const own = await rotateBy(id, 'usr_1');
  const second = await rotateBy(own, 'usr_2');
  const third = await rotateBy(second, 'operator');
  const fourth = await rotateBy(third, 'usr_1');
  assert.equal(await Promise.all([id, own, second, third, fourth].map(behind)), [
    ['usr_1', undefined],
    ['usr_1', undefined],
    ['usr_2', ['usr_1']],
    ['operator', ['usr_2', 'usr_1']],
    ['usr_1', ['usr_2']],
  ]);
  const ofOperator = await all().createKey(input, context);
  assert.equal(await behind(await rotateBy(ofOperator.id, 'usr_1')), ['usr_1', undefined]);
});

test('without an overlap the old key is revoked at once [keys-11]', async () => {
  const old = await all().createKey(input, context);
  await rotate(old.id, 0);
  assert.is((await stores.credentials.byHash(old.hash))?.revokedAt, stores.clock.now().toISOString());
  assert.is((await stateOf(old.id))?.revoked, true);
});

test('a key is rotated once, one that was revoked never, and an unknown one neither [keys-11]', async () => {
  const [rotated, revoked] = [await all().createKey(input, context), await all().createKey(input, context)];
  await rotate(rotated.id);
  await all().revokeKey(revoked.id, context);
  const before = await stores.log.head();
  assert.is(await ruleOf(rotate(rotated.id)), 'ApiKeyIsRotated');
  assert.is(await ruleOf(rotate(revoked.id)), 'ApiKeyIsRevoked');
  assert.is(await ruleOf(rotate(`key_${UNKNOWN}`)), 'ApiKeyNotFound');
  assert.is(await stores.log.head(), before, 'a refused rotation made a key');
});

test('of rotations at once one wins, and the keys of the others are revoked', async () => {
  for (let round = 0; round < rounds(3, 100); round += 1) {
    const old = await all().createKey(input, context);
    const causes = [1, 2, 3].map((n) => ({ ...context, causationId: `${round}-${n}`, once: true }) as const);
    const ulids = causes.map(() => stores.ids.ulid());
    const outcomes = await Promise.allSettled(
      causes.map((cause, index) => {
        const asked = { keyId: old.id, overlapSeconds: 60, createdBy: 'usr_1', ulid: ulids[index] ?? '' };
        return all().rotateKey(asked, cause);
      }),
    );
    const won = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.made.id] : []));
    assert.is(won.length, 1);
    assert.is((await stateOf(old.id))?.rotation?.newKeyId, won[0]);
    for (const ulid of ulids) {
      const state = await stateOf(`key_${ulid}`);
      if (state) assert.is(state.revoked, `key_${ulid}` !== won[0]);
    }
  }
});

test('a crash before the rotation is decided leaves the old key as it was', async () => {
  const old = await all().createKey(input, context);
  await failure(rotate(old.id, 60, crashingAt('RotateApiKey')));
  assert.is((await stateOf(old.id))?.rotation, null);
  assert.is((await stores.credentials.byHash(old.hash))?.expiresAt, undefined);
  assert.ok(await rotate(old.id));
});

test('a crash behind the decision is mended by the reactor: the old key expires all the same [keys-11]', async () => {
  const old = await all().createKey(input, context);
  await failure(rotate(old.id, 60, crashingAt('', { expire: crash })));
  assert.is((await stores.credentials.byHash(old.hash))?.expiresAt, undefined);
  for (let again = 0; again < 2; again += 1) await all().settleKey(old.id);
  const { expiresAt } = (await stateOf(old.id))?.rotation ?? {};
  assert.is((await stores.credentials.byHash(old.hash))?.expiresAt, expiresAt);
});

test('a key that is revoked before it has its row is refused all the same', async () => {
  const add: Credentials['add'] = async (row) => {
    await all().revokeKey(row.keyId, context);
    await stores.credentials.add(row);
  };
  const over = keys({ ...stores, credentials: { ...stores.credentials, add } });
  const { hash } = await over.createKey(input, context);
  assert.is.not((await stores.credentials.byHash(hash))?.revokedAt, null);
});

test('a request that is repeated makes no second key [idempotency-13]', async () => {
  const [ulid, once] = [stores.ids.ulid(), { ...context, causationId: 'repeated', once: true } as const];
  const { hash } = await all().createKey({ ...input, ulid }, once);
  assert.is(await ruleOf(all().createKey({ ...input, ulid }, once)), 'ApiKeyExists');
  assert.is((await stores.credentials.byId(`key_${ulid}`))?.hash, hash);
  assert.is((await all().keyMadeFor(ulid))?.keyId, `key_${ulid}`);
  assert.is(await all().keyMadeFor(stores.ids.ulid()), null);
});
