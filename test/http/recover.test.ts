import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { peopleOf } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('deliveries for people');
const PATH = '/api/v1/webhook-deliveries';
const AGES_AGO = '2020-01-01T00:00:00Z';
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
/** Paths on which the receiver refuses. */
const down = new Set<string>();

test.before(async () => {
  service = await startService(
    { WEBHOOK_RETRY_DELAYS: '20ms' },
    { answer: async ({ path }) => (down.has(path) ? { status: 503 } : {}) },
  );
  people = await peopleOf(service);
});
test.after(async () => {
  await people.close();
  await service.close();
});

/** A company with two keys, the sessions of the first one failed to be told, that of the second one told. */
const world = async (path: string) => {
  const company = await service.company();
  const second = await service.key(company.id);
  down.add(path);
  const tell = async (api: Client, to: string) => {
    const job = await api.process([receiptText()], { webhookUrl: `${service.receiver.url}${to}` });
    const status = down.has(to) ? 'failed' : 'delivered';
    await eventually(`a webhook ${status}`, async () => {
      return (await api.job(job)).body.webhookDeliveryStatus === status;
    });
    return job.sessionId as string;
  };
  const failed = [await tell(company.api, path), await tell(company.api, path)];
  const told = await tell(second.api, `${path}-up`);
  const { api } = await people.user(company.id);
  return { company, second, api, failed, told };
};

const sessionsOf = async (api: Client, query: string): Promise<readonly string[]> => {
  const { status, body, text } = await api.get(`${PATH}?${query}`);
  assert.is(status, 200, text);
  return body.data.map(({ sessionId }: { sessionId: string }) => sessionId);
};

test('a person filters the deliveries of the company by key, time, status and type [deliveries-1]', async () => {
  const { company, second, api, failed, told } = await world('/filters');
  const all = (await api.get(PATH)).body.data;
  assert.equal(
    all.map(({ sessionId, keyId }: Record<string, string>) => [sessionId, keyId]),
    [
      [told, second.id],
      [failed[1], company.keyId],
      [failed[0], company.keyId],
    ],
  );
  const [third, , first] = all.map(({ createdAt }: { createdAt: string }) => createdAt);
  for (const [query, expected] of [
    [`keyId=${second.id}`, [told]],
    [`keyId=${company.keyId}`, [failed[1], failed[0]]],
    ['keyId=nobody', []],
    [`createdAfter=${third}`, [told]],
    [`createdBefore=${third}`, [failed[1], failed[0]]],
    [`createdAfter=${first}&createdBefore=${third}&keyId=${second.id}`, []],
    [`status=failed&eventType=session.completed&keyId=${company.keyId}`, [failed[1], failed[0]]],
    ['status=failed&eventType=session.failed', []],
    [`sessionId=${told}`, [told]],
  ] as const)
    assert.equal(await sessionsOf(api, query), expected, query);
  for (const query of ['createdAfter=yesterday', 'createdBefore=1', 'keyId='])
    assert.is((await api.get(`${PATH}?${query}`)).status, 400, query);
});

test('what the list would have is counted, with the same filters [deliveries-7]', async () => {
  const { company, second, api } = await world('/counted');
  const counted = async (query: string, by = api) => (await by.get(`${PATH}/count?${query}`)).body;
  for (const [query, count] of [
    ['', 3],
    ['status=failed', 2],
    [`status=failed&createdAfter=${AGES_AGO}&keyId=${second.id}`, 0],
    [`createdBefore=${AGES_AGO}`, 0],
    ['eventType=session.completed', 3],
  ] as const)
    assert.equal(await counted(query), { count, hasMore: false }, query);
  assert.is((await counted('', second.api)).count, 1);
  assert.is((await counted(`keyId=${company.keyId}`, second.api)).count, 0);
  assert.is((await api.get(`${PATH}/count?status=odd`)).status, 400);
});

test('a key that names another one of its company sees, sends and recovers nothing of it [deliveries-1]', async () => {
  const { company, second, failed } = await world('/foreign-key');
  assert.equal(await sessionsOf(second.api, `keyId=${company.keyId}`), []);
  assert.equal(await sessionsOf(company.api, `keyId=${company.keyId}`), [failed[1], failed[0]]);
  const range = { from: AGES_AGO, to: '2100-01-01T00:00:00Z', keyId: company.keyId };
  assert.equal((await second.api.post(`${PATH}/redeliver`, range)).body, { count: 0 });
  const recovery = { since: AGES_AGO, keyId: company.keyId };
  assert.equal((await second.api.post(`${PATH}/recover`, recovery)).body, { count: 0, next: null });
});

test('all that failed since a time is sent again, and nothing else, nothing twice [deliveries-6]', async () => {
  const { api, failed } = await world('/outage');
  const rows = (await api.get(`${PATH}?status=failed`)).body.data;
  down.delete('/outage');
  const before = service.receiver.requests.length;
  const { createdAt } = rows[0];
  const since = (await api.post(`${PATH}/recover`, { since: createdAt })).body;
  assert.equal(since, { count: 1, next: null }, 'the later one alone');
  const all = await api.post(`${PATH}/recover`, { since: AGES_AGO });
  assert.equal([all.status, all.headers.get('retry-after')], [202, '1']);
  assert.equal(all.body, { count: 1, next: null });
  await eventually('both told', async () => (await sessionsOf(api, 'status=delivered')).length === 3);
  assert.equal(await sessionsOf(api, 'status=failed'), []);
  assert.equal((await api.post(`${PATH}/recover`, { since: AGES_AGO })).body, { count: 0, next: null });
  const sent = service.receiver.requests.slice(before).filter(({ path }) => path === '/outage');
  assert.equal(
    sent.map(({ body }) => JSON.parse(String(body)).sessionId),
    [failed[1], failed[0]],
  );
});

test('what is recovered is chosen by key and type [deliveries-6]', async () => {
  const { company, second, api } = await world('/chosen');
  const recover = async (more: object) =>
    (await api.post(`${PATH}/recover`, { since: AGES_AGO, ...more })).body;
  assert.equal(await recover({ keyId: second.id }), { count: 0, next: null });
  assert.equal(await recover({ eventType: 'session.failed' }), { count: 0, next: null });
  down.delete('/chosen');
  assert.equal(await recover({ keyId: company.keyId, eventType: 'session.completed' }), {
    count: 2,
    next: null,
  });
});

test('a recovery without a time, with a leap second or more is a 422 that names the member', async () => {
  const { api } = await people.user((await service.company()).id);
  for (const [body, pointer] of [
    [{}, '/since'],
    [{ since: 'yesterday' }, '/since'],
    [{ since: '2016-12-31T23:59:60Z' }, '/since'],
    [{ since: AGES_AGO, status: 'delivered' }, '/status'],
    [{ since: AGES_AGO, eventType: 'odd' }, '/eventType'],
    [{ since: AGES_AGO, keyId: 7 }, '/keyId'],
  ] as const) {
    const reply = await api.post(`${PATH}/recover`, body);
    assert.equal([reply.status, reply.body.errors[0].pointer], [422, pointer], JSON.stringify(body));
  }
});

test('the other company has nothing of it, whatever it asks for [visibility-2]', async () => {
  const { company } = await world('/stranger');
  const { api } = await people.user((await service.company()).id);
  assert.equal(await sessionsOf(api, `keyId=${company.keyId}`), []);
  const recovery = { since: AGES_AGO, keyId: company.keyId };
  assert.equal((await api.post(`${PATH}/recover`, recovery)).body, { count: 0, next: null });
});
