import { createHash, createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as assert from 'uvu/assert';
import { apiKeyStream } from '../../../domain/apiKey.ts';
import { eventually, rounds, suite } from '../../harness.ts';
import { type Client, client, type Reply, receiptText } from '../../support/client.ts';
import { receiptDefinition } from '../../support/definition.ts';
import { peopleOf } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';

const test = suite('keys over HTTP');
const KEYS = '/api/v1/keys';
const UNKNOWN = '01hv6x3m8q2r5t7w9y0a1b2c3d';
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let company: string;
let other: string;
let administrator: Awaited<ReturnType<typeof people.user>>;
let superAdmin: Client;
test.before(async () => {
  service = await startService();
  people = await peopleOf(service);
  const review = { ...receiptDefinition, processing: { review: 'always' } };
  [company, other] = [(await service.company(review)).id, (await service.company(review)).id];
  administrator = await people.user(company);
  superAdmin = (await people.user()).api;
});
test.after(async () => {
  await people.close();
  await service.close();
});

const make = async (over: object = {}, api = administrator.api): Promise<Reply['body']> => {
  const { status, body, text } = await api.post(KEYS, { companyId: company, ...over });
  assert.is(status, 201, text);
  return body;
};
const withKey = (key: string): Client => client(service.url, key);
const statusOf = async (key: string) => {
  const { status, body } = await withKey(key).get('/api/v1/companies');
  return status === 200 ? 200 : [status, body.code];
};
const rowOf = async (id: string, api = administrator.api, headers = {}) => {
  const { body } = await api.get(`${KEYS}?limit=100`, { headers });
  return body.data.find((row: Reply['body']) => row.id === id);
};
const faultsOf = ({ status, body }: Reply) => [
  status,
  ...new Set((body.errors ?? []).map((one: Reply['body']) => one.pointer)),
];
const naming = (companyId: string) => ({ headers: { 'intake-company': companyId } });

test('a key is told which it is [keys-14]', async () => {
  const { id, key } = await make({ name: 'ERP', mode: 'test' });
  const own = async () => (await withKey(key).get(`${KEYS}/current`)).body;
  const facts = { id, name: 'ERP', companyId: company, mode: 'test' };
  assert.equal(await own(), { ...facts, expiresAt: null });
  const { body } = await administrator.api.post(`${KEYS}/${id}/rotate`, { overlapSeconds: 60 });
  assert.equal(await own(), { ...facts, expiresAt: body.replaced.expiresAt });
  assert.is((await administrator.api.get(`${KEYS}/current`)).status, 403, 'a person is no key');
});

test('an org_admin makes a key, which works at once, and is told its secrets as `key create` prints them [keys-10]', async () => {
  const { id, key, ...rest } = await make({ name: 'ERP', mode: 'test' });
  const hash = createHash('sha256').update(key).digest('hex');
  assert.equal(rest, {
    ...{ name: 'ERP', companyId: company, mode: 'test', webhookSecret: hash },
    standardWebhooksSecret: `whsec_${Buffer.from(hash).toString('base64')}`,
  });
  assert.is(await statusOf(key), 200);
  const { events } = await people.log.load(apiKeyStream(id));
  const [{ data, metadata } = { data: {}, metadata: null }] = events;
  assert.equal(data, {
    keyId: id,
    companyId: company,
    mode: 'test',
    name: 'ERP',
    createdBy: administrator.userId,
  });
  assert.equal(metadata?.actor, { kind: 'user', id: administrator.userId });
});

test('an org_admin names the own company, and no other; who acts for one company names that [keys-7, keys-10]', async () => {
  const { api } = administrator;
  for (const companyId of [null, other, `cmp_${UNKNOWN}`, 'ACME', 7])
    assert.equal(faultsOf(await api.post(KEYS, { companyId })), [422, '/companyId'], `${companyId}`);
  assert.equal(faultsOf(await api.post(KEYS, {})), [422, '/companyId']);
  for (const companyId of [null, other])
    assert.equal(faultsOf(await superAdmin.post(KEYS, { companyId }, naming(company))), [422, '/companyId']);
  assert.equal(faultsOf(await superAdmin.post(KEYS, { companyId: `cmp_${UNKNOWN}` })), [422, '/companyId']);
  const unscoped = await make({ companyId: null }, superAdmin);
  assert.equal((await withKey(unscoped.key).get('/api/v1/companies')).body.data, []);
  assert.is((await superAdmin.post(KEYS, { companyId: other }, naming(other))).status, 201);
});

test('every fault of a new key is named', async () => {
  const faults = [
    [{ mode: 'staging' }, '/mode'],
    [{ name: 'two\nlines' }, '/name'],
    [{ name: 'x'.repeat(129) }, '/name'],
    [{ key: 'aok_mine' }, '/key'],
    [{ createdBy: 'usr_me' }, '/createdBy'],
  ] as const;
  for (const [over, pointer] of faults) {
    const reply = await administrator.api.post(KEYS, { companyId: company, ...over });
    assert.equal(faultsOf(reply), [422, pointer]);
  }
  const { mode, name } = await make({ mode: null, name: '' });
  assert.equal([mode, name], ['live', null]);
});

test('the list shows the keys of the company as `key list` does, without secrets [keys-13]', async () => {
  const made = await make({ name: 'listed' });
  await withKey(made.key).open([receiptText()]);
  const { createdAt, lastUsedAt, ...row } = await rowOf(made.id);
  assert.ok(Date.parse(createdAt) <= Date.parse(lastUsedAt));
  assert.equal(row, {
    ...{ id: made.id, name: 'listed', companyId: company, mode: 'live', createdBy: administrator.userId },
    ...{ revokedAt: null, expiresAt: null, replacedBy: null, openSessions: 1 },
  });
  const { text } = await administrator.api.get(`${KEYS}?limit=100`);
  for (const secret of [made.key, made.webhookSecret, made.standardWebhooksSecret])
    assert.not.ok(text.includes(secret));
});

test('an org_admin sees the keys of the own company; a super_admin all, or those of the company that is named [keys-13, people-13]', async () => {
  const [mine, foreign, none] = [
    await make(),
    await make({ companyId: other }, superAdmin),
    await make({ companyId: null }, superAdmin),
  ];
  const seen = async (api: Client, headers = {}) =>
    Promise.all([mine, foreign, none].map(async ({ id }) => (await rowOf(id, api, headers)) !== undefined));
  assert.equal(await seen(administrator.api), [true, false, false]);
  assert.equal(await seen(superAdmin), [true, true, true]);
  assert.equal(await seen(superAdmin, { 'intake-company': other }), [false, true, false]);
});

test('the list is paged, and its cursor belongs to its company', async () => {
  const [first, second] = [await make(), await make()];
  const page = (query: string, init = {}) => administrator.api.get(`${KEYS}?limit=1${query}`, init);
  const { data, pagination } = (await page('')).body;
  assert.equal([data[0].id, pagination.hasMore], [second.id, true]);
  const next = await page(`&cursor=${pagination.nextCursor}`);
  assert.is(next.body.data[0].id, first.id);
  const elsewhere = await superAdmin.get(`${KEYS}?cursor=${pagination.nextCursor}`);
  assert.equal(faultsOf(elsewhere), [400, '/query/cursor']);
});

test('a revoked key is refused at once, and revoking again keeps the time; another company’s is a 404 [keys-3, keys-13]', async () => {
  const { id, key } = await make();
  const revoke = (api: Client, of = id, init = {}) => api.post(`${KEYS}/${of}/revoke`, {}, init);
  const stranger = (await people.user(other)).api;
  for (const reply of [
    await revoke(stranger),
    await revoke(superAdmin, id, naming(other)),
    await revoke(administrator.api, `key_${UNKNOWN}`),
    await revoke(administrator.api, 'key_1'),
  ])
    assert.equal([reply.status, reply.body.code], [404, 'not-found']);
  assert.is(await statusOf(key), 200);
  const first = await revoke(administrator.api);
  assert.is(first.status, 200);
  assert.equal(await statusOf(key), [403, 'key-revoked']);
  assert.equal((await revoke(superAdmin)).body, first.body);
  assert.is((await rowOf(id)).revokedAt !== null, true);
});

const rotate = (id: string, body: object = {}, api = administrator.api, init = {}) =>
  api.post(`${KEYS}/${id}/rotate`, body, init);

test('a rotated key works beside its successor, then it is refused with `key-expired` [keys-11]', async () => {
  const old = await make({ name: 'rotated', mode: 'test' });
  const before = Date.now();
  const { status, body } = await rotate(old.id, { overlapSeconds: 2 });
  assert.is(status, 201);
  const { id, key, webhookSecret, replaced, standardWebhooksSecret: _, ...facts } = body;
  assert.equal(facts, { name: 'rotated', companyId: company, mode: 'test' });
  assert.is(webhookSecret, createHash('sha256').update(key).digest('hex'));
  const ends = Date.parse(replaced.expiresAt);
  assert.ok(ends >= before + 2_000 && ends <= Date.now() + 2_000 && replaced.id === old.id);
  assert.is(await statusOf(key), 200);
  const early = await statusOf(old.key);
  assert.ok(early === 200 || Date.now() >= ends, 'the key was refused too early');
  const row = await rowOf(old.id);
  assert.equal([row.expiresAt, row.replacedBy, row.revokedAt], [replaced.expiresAt, id, null]);
  const refused = await eventually('the end of the overlap', async () => {
    const found = await statusOf(old.key);
    return found === 200 ? null : found;
  });
  assert.equal(refused, [403, 'key-expired']);
  assert.ok(Date.now() >= ends, 'the key was refused too early');
  assert.is(await statusOf(key), 200);
  const { events } = await people.log.load(apiKeyStream(old.id));
  assert.equal(
    events.map(({ type, metadata }) => [type, metadata.actor.id]),
    [
      ['ApiKeyCreated', administrator.userId],
      ['ApiKeyRotated', administrator.userId],
    ],
  );
});

test('both keys work for a day by default; without an overlap the old one is revoked [keys-11]', async () => {
  const [one, two] = [await make(), await make()];
  const { replaced } = (await rotate(one.id)).body;
  assert.ok(Math.abs(Date.parse(replaced.expiresAt) - Date.now() - 86_400_000) < 60_000);
  assert.is((await rotate(two.id, { overlapSeconds: 0 })).status, 201);
  assert.equal(await statusOf(two.key), [403, 'key-revoked']);
});

test('a key is rotated once; a revoked one, and that of another company, are not [keys-11]', async () => {
  const [rotated, revoked] = [await make(), await make()];
  const successor = (await rotate(rotated.id)).body;
  await administrator.api.post(`${KEYS}/${revoked.id}/revoke`, {});
  const stranger = (await people.user(other)).api;
  const before = await people.log.head();
  for (const { id } of [rotated, revoked]) {
    const { status, body } = await rotate(id);
    assert.equal([status, body.code], [409, 'key-not-active']);
    assert.not.ok(Object.hasOwn(body, 'currentStatus'));
  }
  assert.match((await rotate(rotated.id)).body.detail, new RegExp(successor.id));
  assert.is((await rotate(successor.id, {}, stranger)).status, 404);
  for (const overlapSeconds of [-1, 2_592_001, 1.5, '60', 1e15])
    assert.equal(faultsOf(await rotate(successor.id, { overlapSeconds })), [422, '/overlapSeconds']);
  assert.is(await people.log.head(), before, 'a refused rotation appended an event');
});

test('of two rotations at once one wins, and no key is left that nobody knows [keys-11]', async () => {
  for (let round = 0; round < rounds(5, 50); round += 1) {
    const { id: companyId } = (await superAdmin.post('/api/v1/companies', { name: 'Race' })).body;
    const old = await make({ companyId }, superAdmin);
    const replies = await Promise.all([1, 2].map(() => rotate(old.id, {}, superAdmin)));
    assert.equal(replies.map(({ status }) => status).sort(), [201, 409]);
    const won = replies.find(({ status }) => status === 201)?.body.id;
    await eventually('the keys of both, and of no other', async () => {
      const { data } = (await superAdmin.get(KEYS, naming(companyId))).body;
      const active = data.filter((row: Reply['body']) => row.revokedAt === null);
      return (
        active
          .map(({ id }: Reply['body']) => id)
          .sort()
          .join() === [old.id, won].sort().join()
      );
    });
  }
});

test('webhooks of an expired key’s sessions are signed with its own secret; its jobs stay its own [keys-12]', async () => {
  const old = await make();
  const session = await withKey(old.key).open([receiptText()], {
    webhookUrl: `${service.receiver.url}/rotated`,
  });
  assert.is((await withKey(old.key).submit(session)).status, 202);
  const successor = (await rotate(old.id, { overlapSeconds: 1 })).body;
  await eventually('the end of the overlap', async () => (await statusOf(old.key)) !== 200);
  assert.is((await withKey(successor.key).get(`/api/v1/jobs/${session.sessionId}`)).status, 404);
  const submission = await eventually('the submission waits for review', async () => {
    const { body } = await withKey(successor.key).get(`/api/v1/submissions/${session.submissionId}`);
    return body.submissionStatus === 'review' && body;
  });
  const { status } = await withKey(successor.key).post(`/api/v1/submissions/${submission.id}/approve`, {});
  assert.is(status, 200);
  const told = await service.receiver.waitFor(
    ({ path, headers }) => path === '/rotated' && headers['x-webhook-event'] === 'submission.approved',
  );
  const signature = createHmac('sha256', old.webhookSecret).update(told.body).digest('hex');
  assert.is(told.headers['x-webhook-signature'], `sha256=${signature}`);
});

test('an auditor sees the keys, people, invitations and log-in of the own company, and no secret [keys-13, people-13, logins-15]', async () => {
  const auditor = await people.user(company, 'auditor');
  const made = await make({ name: 'seen' });
  const elsewhere = await make({ companyId: other }, superAdmin);
  const { token } = await people.invite(people.newEmail(), company, 'reviewer');
  const hash = createHash('sha256').update(made.key).digest('hex');
  for (const path of [KEYS, '/api/v1/people', '/api/v1/invitations', `/api/v1/companies/${company}/log-in`]) {
    // What was just made may appear between the two.
    const theirs = await eventually(`the same for both: ${path}`, async () => {
      const own = await administrator.api.get(`${path}?limit=100`);
      const reply = await auditor.api.get(`${path}?limit=100`);
      assert.is(reply.status, 200, reply.text);
      return isDeepStrictEqual(reply.body, own.body) ? reply : null;
    });
    for (const secret of [made.key, made.webhookSecret, made.standardWebhooksSecret, hash, token])
      assert.not.ok(theirs.text.includes(secret), path);
    assert.not.ok(theirs.text.includes(elsewhere.id) || theirs.text.includes(other), path);
  }
  assert.is((await auditor.api.get(`/api/v1/companies/${other}/log-in`)).status, 404);
});
