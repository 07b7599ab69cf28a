import * as assert from 'uvu/assert';
import { webhookEndpointStream } from '../../domain/webhookEndpoint.ts';
import { eventually, suite } from '../harness.ts';
import { type Client, client, type Reply } from '../support/client.ts';
import { peopleOf } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('webhook endpoints over HTTP');
const PATH = '/api/v1/webhook-endpoints';
const URL = 'https://receiver.example/hooks';
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
test.before(async () => {
  service = await startService();
  people = await peopleOf(service);
});
test.after(async () => {
  await people.close();
  await service.close();
});

const make = async (api: Client, over: object = {}): Promise<Reply['body']> => {
  const { status, body, text } = await api.post(PATH, { url: URL, ...over });
  assert.is(status, 201, text);
  return body;
};
const pointersOf = ({ status, body }: Reply) => [
  status,
  ...(body.errors ?? []).map((one: Reply['body']) => one.pointer),
];

test('a key makes an endpoint of its company and mode, and its secret is in that answer alone [endpoints-1, endpoints-4]', async () => {
  const { id: companyId, api, keyId } = await service.company();
  const reply = await api.post(PATH, { url: URL, description: 'ERP', eventTypes: ['batch.completed'] });
  assert.is(reply.status, 201);
  const { secret, ...made } = reply.body;
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.match(made.id, /^whe_[0-9a-z]{26}$/);
  assert.is(reply.headers.get('location'), `${PATH}/${made.id}`);
  const { id, createdAt, ...rest } = made;
  assert.ok(Math.abs(Date.now() - Date.parse(createdAt)) < 60_000);
  assert.equal(rest, {
    ...{ companyId, mode: 'live', url: URL, description: 'ERP', eventTypes: ['batch.completed'] },
    ...{ retrySchedule: 'standard', status: 'enabled', disabledAt: null, disabledBy: null },
    ...{ disabledReason: null, previousSecretExpiresAt: null, createdBy: `key:${keyId}` },
  });
  assert.equal((await api.get(`${PATH}/${id}`)).body, made);
  assert.equal((await api.get(PATH)).body.data, [made]);
  const { events } = await people.log.load(webhookEndpointStream(id));
  assert.not.ok(JSON.stringify(events).includes(secret));
});

test('an org_admin manages the endpoints of the own company, an auditor sees them, a reviewer does not [endpoints-2]', async () => {
  const { id: company, api } = await service.company();
  const administrator = await people.user(company);
  const made = await make(administrator.api);
  assert.is(made.createdBy, `user:${administrator.userId}`);
  assert.is((await api.get(`${PATH}/${made.id}`)).status, 200);
  for (const { api: stranger } of [await service.company(), await service.key(company, 'test')]) {
    assert.is((await stranger.get(`${PATH}/${made.id}`)).status, 404);
    assert.is((await stranger.call('DELETE', `${PATH}/${made.id}`)).status, 404);
    assert.equal((await stranger.get(PATH)).body.data, []);
  }
  const auditor = (await people.user(company, 'auditor')).api;
  assert.equal((await auditor.get(PATH)).body.data[0].id, made.id);
  assert.is((await auditor.post(`${PATH}/${made.id}/disable`)).body.code, 'role-required');
  assert.is((await (await people.user(company, 'reviewer')).api.get(PATH)).body.code, 'role-required');
});

test('the address follows the rules of a webhookUrl, and every fault is named [endpoints-3]', async () => {
  const { api } = await service.company();
  const { id } = await make(api);
  const faults = [
    [{}, '/url'],
    [{ url: 'http://receiver.example/hooks' }, '/url'],
    [{ url: 'https://127.0.0.1/hooks' }, '/url'],
    [{ url: 'https://me:secret@receiver.example/hooks' }, '/url'],
    [{ url: URL, eventTypes: [] }, '/eventTypes'],
    [{ url: URL, eventTypes: ['session.opened'] }, '/eventTypes/0'],
    [{ url: URL, eventTypes: ['batch.completed', 'batch.completed'] }, '/eventTypes'],
    [{ url: URL, retrySchedule: 'never' }, '/retrySchedule'],
    [{ url: URL, description: 'x'.repeat(501) }, '/description'],
    [{ url: URL, secret: 'whsec_mine' }, '/secret'],
  ] as const;
  for (const [body, pointer] of faults) {
    assert.equal(pointersOf(await api.post(PATH, body)), [422, pointer], JSON.stringify(body));
    assert.equal(pointersOf(await api.call('PUT', `${PATH}/${id}`, { body })), [422, pointer]);
  }
  const seconds = await api.post(`${PATH}/${id}/rotate-secret`, { overlapSeconds: 604_801 });
  assert.equal(pointersOf(seconds), [422, '/overlapSeconds']);
});

test('a change replaces all options, and a repeated one changes nothing [endpoints-1]', async () => {
  const { api } = await service.company();
  const { secret: _, ...made } = await make(api, { description: 'ERP', eventTypes: ['batch.completed'] });
  const change = () =>
    api.call('PUT', `${PATH}/${made.id}`, { body: { url: `${URL}/2`, retrySchedule: 'extended' } });
  const expected = {
    ...made,
    url: `${URL}/2`,
    description: null,
    eventTypes: null,
    retrySchedule: 'extended',
  };
  for (let n = 0; n < 2; n += 1) assert.equal((await change()).body, expected);
  assert.equal((await api.get(`${PATH}/${made.id}`)).body, expected);
  assert.is((await people.log.load(webhookEndpointStream(made.id))).events.length, 2);
});

test('it is disabled and enabled, which may be repeated, and deleted [endpoints-1]', async () => {
  const { api, keyId } = await service.company();
  const { id } = await make(api);
  const first = (await api.post(`${PATH}/${id}/disable`)).body;
  assert.equal(
    [first.status, first.disabledBy, first.disabledReason],
    ['disabled', `key:${keyId}`, 'request'],
  );
  assert.equal((await api.post(`${PATH}/${id}/disable`)).body, first);
  assert.equal((await api.get(`${PATH}/${id}`)).body, first);
  for (let n = 0; n < 2; n += 1) {
    const { status, disabledAt } = (await api.post(`${PATH}/${id}/enable`)).body;
    assert.equal([status, disabledAt], ['enabled', null]);
  }
  assert.is((await api.call('DELETE', `${PATH}/${id}`)).status, 204);
  assert.is((await api.get(`${PATH}/${id}`)).status, 404);
  assert.is((await api.call('DELETE', `${PATH}/${id}`)).status, 404);
  assert.equal((await api.get(PATH)).body.data, []);
});

test('the secret of a rotation is another one, and the overlap is told [endpoints-5]', async () => {
  const { api } = await service.company();
  const { id, secret } = await make(api);
  const rotated = (await api.post(`${PATH}/${id}/rotate-secret`, { overlapSeconds: 60 })).body;
  assert.is.not(rotated.secret, secret);
  const left = Date.parse(rotated.previousSecretExpiresAt) - Date.now();
  assert.ok(left > 0 && left <= 60_000, `${left}`);
  const { secret: _, ...shown } = rotated;
  assert.equal((await api.get(`${PATH}/${id}`)).body, shown);
  const again = (await api.post(`${PATH}/${id}/rotate-secret`, { overlapSeconds: 0 })).body;
  assert.is(again.previousSecretExpiresAt, null);
  assert.is((await api.get(`${PATH}/${id}`)).body.previousSecretExpiresAt, null);
});

test('a request that is repeated makes nothing more, and is told no secret again [endpoints-4, idempotency-13]', async () => {
  const { api } = await service.company();
  const headers = { 'idempotency-key': 'endpoint' };
  const made = await api.post(PATH, { url: URL }, { headers });
  const again = await api.post(PATH, { url: URL }, { headers });
  assert.equal([again.status, again.body.code], [409, 'secret-shown-once']);
  assert.match(again.body.detail, made.body.id);
  assert.is((await api.get(PATH)).body.data.length, 1);
  const rotate = () => api.post(`${PATH}/${made.body.id}/rotate-secret`, {}, { headers });
  assert.is((await rotate()).status, 200);
  assert.equal([(await rotate()).body.code], ['secret-shown-once']);
  assert.is((await people.log.load(webhookEndpointStream(made.body.id))).events.length, 2);
});

test('a company has 16 endpoints at most in each mode [endpoints-6]', async () => {
  const { id: company, api } = await service.company();
  for (let n = 0; n < 16; n += 1) await make(api);
  const refused = await api.post(PATH, { url: URL });
  assert.equal([refused.status, refused.body.code], [409, 'too-many-endpoints']);
  const { key } = await service.key(company, 'test');
  await make(client(service.url, key));
  const [{ id }] = (await api.get(`${PATH}?limit=1`)).body.data;
  await api.call('DELETE', `${PATH}/${id}`);
  await make(api);
});

test('of many that are made at once no more than 16 stay [endpoints-6]', async () => {
  const { api } = await service.company();
  const replies = await Promise.all(Array.from({ length: 20 }, () => api.post(PATH, { url: URL })));
  const made = replies.flatMap(({ status, body }) => (status === 201 ? body.id : []));
  assert.is(made.length, 16);
  const listed = async () => (await api.get(PATH)).body.data.map(({ id }: Reply['body']) => id).sort();
  // What is made and undone for a moment may be seen longer than an answer waits.
  await eventually('those that stay, alone', async () => `${await listed()}` === `${made.sort()}`);
});
