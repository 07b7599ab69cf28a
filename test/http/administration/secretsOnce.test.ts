import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Core } from '../../../runtime/wire.ts';
import { suite } from '../../harness.ts';
import { client, type Reply } from '../../support/client.ts';
import { openCore } from '../../support/core.ts';
import { isEmbedded } from '../../support/ownEngines.ts';
import { peopleOf } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';

const test = suite('answers with a secret under an Idempotency-Key');
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let company: string;
let administrator: Awaited<ReturnType<typeof people.user>>;
let core: Core;
let sent = 0;
test.before(async () => {
  service = await startService();
  people = await peopleOf(service);
  core = await openCore(service.config);
  company = (await service.company()).id;
  administrator = await people.user(company);
});
test.after(async () => {
  await people.close();
  await core.close();
  await service.close();
});

type Request = Readonly<{ path: string; body: object }>;
const send = ({ path, body }: Request, key: string): Promise<Reply> =>
  administrator.api.post(path, body, { headers: { 'idempotency-key': key } });
const newKey = (): string => `key-${++sent}`;

/** Each request with a secret in its answer: how to make it, what it makes, and where that is listed. */
const requests = {
  'a new key': async () => ({ path: '/api/v1/keys', body: { companyId: company } }),
  'a rotation': async () => {
    const { id } = (await administrator.api.post('/api/v1/keys', { companyId: company })).body;
    return { path: `/api/v1/keys/${id}/rotate`, body: { overlapSeconds: 60 } };
  },
  'an invitation': async () => ({
    path: '/api/v1/invitations',
    body: { email: people.newEmail(), role: 'reviewer' as const },
  }),
  'a reset': async () => {
    const { userId } = await people.user(company, 'reviewer');
    return { path: `/api/v1/people/${userId}/reset`, body: {} };
  },
} as const;

const secretsIn = ({ body }: Reply): readonly string[] =>
  [body.key, body.webhookSecret, body.standardWebhooksSecret, body.token].filter((one) => one !== undefined);
const made = ({ body }: Reply): string => body.invitationId ?? body.id;

for (const [name, prepare] of Object.entries(requests)) {
  test(`${name}: a repetition is a 409 that names what was made, and makes nothing [idempotency-13]`, async () => {
    const [request, key] = [await prepare(), newKey()];
    const first = await send(request, key);
    assert.is(first.status, 201, first.text);
    assert.ok(secretsIn(first).length > 0);
    const before = await people.log.head();
    for (let again = 0; again < 3; again += 1) {
      const { status, body, headers, text } = await send(request, key);
      assert.equal([status, body.code, body.retryable], [409, 'secret-shown-once', false]);
      assert.is(headers.get('idempotency-replayed'), 'true');
      assert.ok(body.detail.includes(made(first)), body.detail);
      for (const secret of secretsIn(first)) assert.not.ok(text.includes(secret));
    }
    assert.is(await people.log.head(), before, 'a repetition appended an event');
    const other = await send({ ...request, body: { ...request.body, name: 'x' } }, key);
    assert.equal([other.status, other.body.code], [422, 'idempotency-key-reused']);
  });

  test(`${name}: of requests at once one is answered with the secret [idempotency-13]`, async () => {
    const [request, key] = [await prepare(), newKey()];
    const replies = await Promise.all(Array.from({ length: 8 }, () => send(request, key)));
    const codes = replies.map(({ status, body }) => (status === 201 ? '201' : body.code)).sort();
    assert.is(codes.filter((code) => code === '201').length, 1, codes.join());
    for (const code of codes.slice(1)) assert.match(code, /^(idempotency-key-in-use|secret-shown-once)$/);
  });
}

test('no file holds a secret that was answered, nor does the record of the request [idempotency-13, keys-4]', async () => {
  const secrets: string[] = [];
  for (const prepare of Object.values(requests)) {
    const reply = await send(await prepare(), newKey());
    // The webhook secret is the key's hash, which stands in the row of the key.
    const { key, standardWebhooksSecret, token } = reply.body;
    secrets.push(...[key, key?.slice(4), standardWebhooksSecret, token].filter((one) => one !== undefined));
  }
  assert.is(secrets.length, 8);
  const files = readdirSync(service.dataDir, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name))] as const);
  assert.ok(!isEmbedded || files.some(([, bytes]) => bytes.includes(administrator.userId)));
  for (const secret of secrets)
    for (const [name, bytes] of files) assert.not.ok(bytes.includes(secret), `a secret stands in ${name}`);
});

/**
 * The identifiers of a request that has begun under this Idempotency-Key, and how it ends without an answer.
 */
const begun = async ({ path, body }: Request, idempotencyKey: string) => {
  const scope = { callerId: `${administrator.userId} ${company} live`, method: 'POST', path, idempotencyKey };
  const started = await core.idempotency.begin(scope, JSON.stringify(body));
  if (started.kind !== 'claimed') throw new Error(`the request is ${started.kind}`);
  const { claim } = started;
  const { ulid, correlationId } = claim.reserved;
  const actor = { kind: 'user', id: administrator.userId } as const;
  const context = { actor, correlationId, causationId: correlationId, once: true } as const;
  return { ulid, context, crash: () => core.idempotency.release(claim) };
};

test('a request that crashed before its work is done by the next one [idempotency-13]', async () => {
  const [request, key] = [await requests['a new key'](), newKey()];
  const { crash, ulid } = await begun(request, key);
  await crash();
  const { status, body } = await send(request, key);
  assert.equal([status, body.id], [201, `key_${ulid}`]);
});

test('a request that crashed between its work and its answer makes nothing again [idempotency-13]', async () => {
  const input = { companyId: company, mode: 'live', name: null, createdBy: administrator.userId } as const;
  const [request, key] = [await requests['a new key'](), newKey()];
  const { crash, ulid, context } = await begun(request, key);
  const made = await core.keys.createKey({ ...input, ulid }, context);
  await crash();
  for (let again = 0; again < 2; again += 1) {
    const { status, body } = await send(request, key);
    assert.equal([status, body.code], [409, 'secret-shown-once']);
    assert.ok(body.detail.includes(made.id));
  }
  assert.is((await client(service.url, made.key).get('/api/v1/companies')).status, 200);
  const invited = [await requests['an invitation'](), newKey()] as const;
  const second = await begun(...invited);
  const { email, role } = invited[0].body;
  const { id } = await core.invitations.invite(
    { email, role, companyId: company },
    second.context,
    second.ulid,
  );
  await second.crash();
  const { status, body } = await send(...invited);
  assert.equal([status, body.code, body.detail.includes(id)], [409, 'secret-shown-once', true]);
});

test('a rotation that crashed before the old key was replaced says that it still works [idempotency-13, keys-11]', async () => {
  const input = { companyId: company, mode: 'live', name: null, createdBy: administrator.userId } as const;
  const old = (await administrator.api.post('/api/v1/keys', { companyId: company })).body;
  const request = { path: `/api/v1/keys/${old.id}/rotate`, body: {} };
  const key = newKey();
  const { crash, ulid, context } = await begun(request, key);
  const made = await core.keys.createKey({ ...input, ulid }, context);
  await crash();
  const { status, body } = await send(request, key);
  assert.equal([status, body.code], [409, 'secret-shown-once']);
  assert.ok(body.detail.includes(made.id));
  assert.match(body.detail, new RegExp(`The key ${old.id} was not replaced by it, and still works`));
  assert.is((await client(service.url, old.key).get('/api/v1/companies')).status, 200);
  const other = newKey();
  assert.is((await send(request, other)).status, 201);
  assert.not.match((await send(request, other)).body.detail, /still works/);
});

test('what was made by a request whose answer was lost is revoked, and made anew under another key', async () => {
  const request = await requests['a new key']();
  const [lost, key] = [await send(request, newKey()), newKey()];
  assert.is((await administrator.api.post(`/api/v1/keys/${lost.body.id}/revoke`, {})).status, 200);
  const second = await send(request, key);
  assert.is((await client(service.url, second.body.key).get('/api/v1/companies')).status, 200);
  assert.is((await client(service.url, lost.body.key).get('/api/v1/companies')).status, 403);
});
