import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { administer } from '../../commands/administer.ts';
import type { Handle } from '../../commands/handle.ts';
import { load } from '../../commands/load.ts';
import { apiKey, apiKeyStream } from '../../domain/apiKey.ts';
import { workflow, workflowStream } from '../../domain/workflow.ts';
import { hashKey } from '../../stores/credentials.ts';
import { context, failure, type Stores, temporaryStores } from '../controls/stores.ts';
import { definition } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('administer');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());
const operators = () => administer(stores);
const input = { companyId: null, mode: 'live', name: 'server', createdBy: 'operator' } as const;

test('companies, versions and assignments', async () => {
  const { createCompany, publishWorkflow, assignWorkflow, unassignWorkflow } = operators();
  const { id } = await createCompany('ACME', context);
  assert.match(id, /^cmp_[0-9a-hjkmnp-tv-z]{26}$/);
  assert.is((await publishWorkflow(definition, context)).version, 1);
  assert.is((await publishWorkflow(definition, context)).version, 2);
  const companies = async () => (await load(stores.log, workflow, workflowStream('receipt')))?.companies;
  await assignWorkflow('receipt', id, context);
  assert.equal(await companies(), [id]);
  const position = await unassignWorkflow('receipt', id, context);
  assert.equal(await companies(), []);
  assert.is(position, await stores.log.head());
});

test('only what is there is assigned, or gets a key', async () => {
  const { createCompany, assignWorkflow, createKey } = operators();
  const unknown = 'cmp_01hv6x3m8q2r5t7w9y0a1b2c3d';
  assert.is((await failure(assignWorkflow('receipt', unknown, context))).name, 'CompanyNotFound');
  const { id } = await createCompany('ACME', context);
  assert.is((await failure(assignWorkflow('nothing', id, context))).name, 'WorkflowNotFound');
  const refused = await failure(createKey({ ...input, companyId: unknown }, context));
  assert.is(refused.name, 'CompanyNotFound');
});

test('a key works at once; its secret and its hash stand in no event [keys-4]', async () => {
  const { id, key, hash } = await operators().createKey(input, context);
  assert.match(key, /^aok_[0-9a-f]{64}$/);
  assert.is(hashKey(key), hash);
  assert.is((await stores.credentials.byHash(hash))?.keyId, id);
  const { events } = await stores.log.load(apiKeyStream(id));
  const text = JSON.stringify(events);
  assert.ok(events.length === 1 && !text.includes(key) && !text.includes(hash));
});

test('of a key only the SHA-256 is in the files of the stores, and in its row alone [keys-4]', async () => {
  const { id, key } = await operators().createKey(input, context);
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
  const { createKey, revokeKey } = operators();
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

const crashing: Handle = () => Promise.reject(new Error('crashed before the event'));

test('a crash between row and event makes no key that anybody has', async () => {
  const before = await stores.log.head();
  const { createKey } = administer({ ...stores, handle: crashing });
  assert.is((await failure(createKey(input, context))).message, 'crashed before the event');
  assert.is(await stores.log.head(), before);
});

test('a crash while revoking leaves the key shut, and revoking again writes the event', async () => {
  const { createKey, revokeKey } = operators();
  const { id, hash } = await createKey(input, context);
  await failure(administer({ ...stores, handle: crashing }).revokeKey(id, context));
  assert.ok((await stores.credentials.byHash(hash))?.revokedAt);
  assert.is((await load(stores.log, apiKey, apiKeyStream(id)))?.revoked, false);
  await revokeKey(id, context);
  assert.is((await load(stores.log, apiKey, apiKeyStream(id)))?.revoked, true);
});
