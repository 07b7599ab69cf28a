import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { webhookDelivery, webhookDeliveryStream } from '../../domain/webhookDelivery.ts';
import { wireCore } from '../../runtime/wire.ts';
import type { Answer, Received } from '../../scripts/receiver.ts';
import { subjectKeys } from '../../stores/events/subjectKeys.ts';
import { DESTRUCTION } from '../controls/destruction.ts';
import { deliveryFacts } from '../controls/events.ts';
import { context } from '../controls/stores.ts';
import { eventually, suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { peopleOf } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('webhook deliveries over HTTP');
const PATH = '/api/v1/webhook-deliveries';
let service: TestService;
let companyId: string;
/** How the receiver answers on a path, from the first request on; 200 when there is no more. */
const script = new Map<string, Answer[]>();
/** How long the receiver waits before it answers on a path, in milliseconds. */
const delays = new Map<string, number>();

test.before(async () => {
  service = await startService(
    { WEBHOOK_RETRY_DELAYS: '20ms,20ms' },
    {
      answer: async ({ path }) => {
        await sleep(delays.get(path) ?? 0);
        return script.get(path)?.shift() ?? {};
      },
    },
  );
  ({ id: companyId } = await service.company());
});
test.after(() => service.close());

const refusals = (count: number): Answer[] => Array.from({ length: count }, () => ({ status: 503 }));
const on = (path: string): readonly Received[] =>
  service.receiver.requests.filter((request) => request.path === path);
const told = (api: Client, path: string) =>
  api.process([receiptText()], { webhookUrl: `${service.receiver.url}${path}` });
const ended = (api: Client, job: { sessionId: string }, status: string) =>
  eventually(`a webhook ${status}`, async () => (await api.job(job)).body.webhookDeliveryStatus === status);
const only = async (api: Client, query = '') => {
  const { data } = (await api.get(`${PATH}${query}`)).body;
  assert.is(data.length, 1);
  return data[0];
};

test('a delivery is listed with its status, and shown with every attempt [deliveries-2]', async () => {
  const { api } = await service.key(companyId);
  script.set('/listed', refusals(1));
  const job = await told(api, '/listed');
  await ended(api, job, 'delivered');
  const row = await only(api);
  const { eventId } = row;
  assert.is(eventId, on('/listed')[0]?.headers['x-webhook-id']);
  assert.equal(
    [row.eventType, row.sessionId, row.submissionId, row.status, row.nextAttemptAt],
    ['session.completed', job.sessionId, job.submissionId, 'delivered', null],
  );
  assert.is(row.occurredAt, JSON.parse(String(on('/listed')[0]?.body)).occurredAt);
  const { attempts, body: _body, ...shown } = (await api.get(`${PATH}/${eventId}`)).body;
  assert.equal(shown, row);
  assert.equal(
    attempts.map(({ statusCode, error }: Record<string, unknown>) => [statusCode, error]),
    [
      [503, 'answered 503'],
      [200, null],
    ],
  );
  for (const { at, durationMs } of attempts) assert.ok(Date.parse(at) > 0 && durationMs >= 0);
});

test('each attempt keeps where it went and how the answer begins, and the delivery what it sends [deliveries-9] [deliveries-10]', async () => {
  const { api } = await service.key(companyId);
  script.set('/told?token=hidden', [{ status: 500, body: `${'é'.repeat(1_500)} the end` }, { body: '' }]);
  const job = await told(api, '/told?token=hidden');
  await ended(api, job, 'delivered');
  const { host } = new URL(service.receiver.url);
  const { eventId, receiver } = await only(api, `?receiver=${host}&sessionId=${job.sessionId}`);
  assert.is(receiver, host);
  const { body, attempts } = (await api.get(`${PATH}/${eventId}`)).body;
  assert.is(body, String(on('/told?token=hidden')[0]?.body));
  assert.equal(
    attempts.map((one: Record<string, unknown>) => [one.receiver, one.answer]),
    [
      [`${host}/told`, 'é'.repeat(1_024)],
      [`${host}/told`, ''],
    ],
  );
  assert.equal((await api.get(`${PATH}?receiver=elsewhere.example`)).body.data, []);
});

test('the receivers of failed deliveries are counted, and one of them is recovered [deliveries-11]', async () => {
  const { api } = await service.key(companyId);
  const receivers = async () => (await api.get(`${PATH}/failing-receivers`)).body.data;
  assert.equal(await receivers(), []);
  script.set('/failing', refusals(6));
  const first = await told(api, '/failing');
  await ended(api, first, 'failed');
  await ended(api, await told(api, '/failing'), 'failed');
  const { host } = new URL(service.receiver.url);
  const since = (await api.get(`${PATH}?sessionId=${first.sessionId}`)).body.data[0].createdAt;
  assert.equal(await receivers(), [{ receiver: host, count: 2, since }]);
  const recover = (receiver: string) => api.post(`${PATH}/recover`, { since, receiver });
  assert.is((await recover('elsewhere.example')).body.count, 0);
  assert.is((await recover(host)).body.count, 2);
  await ended(api, first, 'delivered');
  await eventually('none has failed', async () => (await receivers()).length === 0);
});

test('a super_admin sees where deliveries of all companies fail, an org_admin those of the own [deliveries-21]', async () => {
  const people = await peopleOf(service);
  const { host } = new URL(service.receiver.url);
  const failing = async (api: Client, path: string) => (await api.get(path)).body.data;
  const companies = await Promise.all(
    (['live', 'live', 'test'] as const).map(async (mode) => {
      const { id, api } = await service.company(receiptDefinition, mode);
      script.set(`/${id}`, refusals(3));
      await ended(api, await told(api, `/${id}`), 'failed');
      const [{ since } = { since: '' }] = await failing(api, `${PATH}/failing-receivers`);
      return { companyId: id, mode, receiver: host, count: 1, since };
    }),
  );
  const { api: admin } = await people.user();
  const all: readonly Readonly<{ companyId: string }>[] = await eventually('all fail', async () => {
    const rows = await failing(admin, '/api/v1/operations/failing-receivers');
    return rows.length >= companies.length && rows;
  });
  for (const row of companies)
    assert.equal(
      all.filter(({ companyId }) => companyId === row.companyId),
      [row],
    );
  for (const { companyId, mode, ...row } of companies) {
    const { api } = await people.user(companyId, 'org_admin');
    const headers = { 'intake-mode': mode };
    assert.equal((await api.get(`${PATH}/failing-receivers`, { headers })).body.data, [row]);
    const refused = await api.get('/api/v1/operations/failing-receivers', { headers });
    assert.equal([refused.status, refused.body.code], [403, 'role-required']);
  }
  await people.close();
});

test('each attempt is recorded with its time, status, duration and error [deliveries-3]', async () => {
  const { api } = await service.key(companyId);
  const SLOW_MS = 120;
  script.set('/slow', [{ status: 500 }, 'close']);
  delays.set('/slow', SLOW_MS);
  let before = Date.now();
  const job = await told(api, '/slow');
  await ended(api, job, 'delivered');
  const { eventId } = await only(api);
  const { attempts } = (await api.get(`${PATH}/${eventId}`)).body;
  assert.equal(
    attempts.map(({ statusCode, error }: Record<string, unknown>) => [statusCode, error !== null]),
    [
      [500, true],
      [null, true],
      [200, false],
    ],
  );
  assert.is(attempts[0].error, 'answered 500');
  assert.is.not(attempts[1].error, attempts[0].error);
  const requests = on('/slow');
  for (const [index, { at, durationMs }] of attempts.entries()) {
    // Timers may fire a millisecond early.
    const ended = Date.parse(at);
    assert.ok(durationMs >= SLOW_MS - 2 && durationMs <= ended - before + 2, `${durationMs} ms`);
    const [request, next] = requests.slice(index);
    assert.ok(request && request.at <= ended && ended <= (next?.at ?? Date.now()), at);
    before = ended;
  }
});

test('the filters sessionId, submissionId, status and eventType, each alone and together [deliveries-1]', async () => {
  const { api } = await service.key(companyId);
  script.set('/filtered', refusals(3));
  const failed = await told(api, '/filtered');
  await ended(api, failed, 'failed');
  const delivered = await told(api, '/filtered');
  await ended(api, delivered, 'delivered');
  const cancelled = await api.open([], { webhookUrl: `${service.receiver.url}/filtered` });
  await api.post(`/api/v1/submissions/${cancelled.submissionId}/cancel`);
  await ended(api, cancelled, 'delivered');
  const sessions = async (query: string) =>
    (await api.get(`${PATH}?${query}`)).body.data.map(({ sessionId }: { sessionId: string }) => sessionId);
  const [first, second, third] = [failed.sessionId, delivered.sessionId, cancelled.sessionId];
  assert.equal(await sessions(''), [third, second, first], 'newest first');
  assert.equal(await sessions(`sessionId=${second}`), [second]);
  assert.equal(await sessions('sessionId=nobody'), []);
  assert.equal(await sessions(`submissionId=${second?.replace('ses_', 'sub_')}`), [second]);
  assert.equal(await sessions(`submissionId=${second?.replace('ses_', 'sub_')}&sessionId=${first}`), []);
  assert.equal(await sessions('submissionId=nobody'), []);
  assert.equal(await sessions('status=failed'), [first]);
  assert.equal(await sessions('status=delivered'), [third, second]);
  assert.equal(await sessions('status=pending'), []);
  assert.equal(await sessions('eventType=submission.cancelled'), [third]);
  assert.equal(await sessions('status=delivered&eventType=session.completed'), [second]);
  for (const query of ['status=odd', 'eventType=odd', 'limit=x', 'cursor=x'])
    assert.is((await api.get(`${PATH}?${query}`)).status, 400, query);
  const paged = await api.get(`${PATH}?limit=1&status=delivered`);
  const { hasMore, nextCursor } = paged.body.pagination;
  assert.equal([hasMore, paged.body.data[0].sessionId], [true, third]);
  const next = await api.get(`${PATH}?limit=1&status=delivered&cursor=${nextCursor}`);
  assert.equal([next.body.data[0].sessionId, next.body.pagination.hasMore], [second, false]);
  assert.is((await api.get(`${PATH}?cursor=${nextCursor}`)).status, 400, 'a cursor belongs to its filters');
});

test('deliveries are those of the key: another one of the company sees none, and a 404 [deliveries-1]', async () => {
  const { api } = await service.key(companyId);
  await ended(api, await told(api, '/own'), 'delivered');
  const { eventId } = await only(api);
  const { api: other } = await service.key(companyId);
  assert.equal((await other.get(PATH)).body.data, []);
  assert.is((await other.get(`${PATH}/${eventId}`)).status, 404);
  assert.is((await other.post(`${PATH}/${eventId}/redeliver`)).status, 404);
  const body = { from: '2020-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };
  assert.equal((await other.post(`${PATH}/redeliver`, body)).body, { count: 0 });
  assert.is((await api.get(`${PATH}/nonsense`)).status, 404);
  assert.is(on('/own').length, 1);
});

test('redelivery sends the same bytes under the same id again, and the job is pending meanwhile [deliveries-4]', async () => {
  // Of its own: what hangs holds up the other deliveries of its company and origin.
  const { api } = await service.company();
  const job = await told(api, '/again');
  await ended(api, job, 'delivered');
  const { eventId } = await only(api);
  script.set('/again', ['hang']);
  const redelivered = await api.post(`${PATH}/${eventId}/redeliver`);
  assert.equal([redelivered.status, redelivered.body], [202, { count: 1 }]);
  assert.is(redelivered.headers.get('retry-after'), '1');
  assert.is((await api.job(job)).body.webhookDeliveryStatus, 'pending', 'shown when the answer comes');
  await eventually('the second request', () => on('/again').length === 2);
  const { status, nextAttemptAt } = await only(api, '?status=pending');
  assert.ok(status === 'pending' && Date.parse(nextAttemptAt) <= Date.now(), 'due since it was asked for');
  const [first, second] = on('/again');
  assert.equal(second?.body, first?.body);
  for (const name of ['x-webhook-id', 'webhook-id', 'x-webhook-signature', 'x-webhook-event'])
    assert.is(second?.headers[name], first?.headers[name], name);
  const underWay = await api.post(`${PATH}/${eventId}/redeliver`);
  assert.equal([underWay.status, underWay.body], [202, { count: 0 }], 'one under way is not sent twice');
});

test('a redelivery has the whole retry schedule before it, and its attempts count on', async () => {
  const { api } = await service.key(companyId);
  script.set('/schedule', refusals(5));
  const job = await told(api, '/schedule');
  await ended(api, job, 'failed');
  const { eventId } = await only(api);
  assert.is((await api.get(`${PATH}/${eventId}`)).body.attempts.length, 3);
  assert.is((await api.post(`${PATH}/${eventId}/redeliver`)).status, 202);
  await ended(api, job, 'delivered');
  const { attempts, status } = (await api.get(`${PATH}/${eventId}`)).body;
  assert.is(status, 'delivered');
  assert.equal(
    attempts.map(({ statusCode }: { statusCode: number }) => statusCode),
    [503, 503, 503, 503, 503, 200],
  );
});

test('redelivery by time takes those created from the one to before the other, of a status [deliveries-4]', async () => {
  const { api } = await service.key(companyId);
  script.set('/range', refusals(6));
  for (const _ of [1, 2]) await ended(api, await told(api, '/range'), 'failed');
  await ended(api, await told(api, '/range'), 'delivered');
  const rows = (await api.get(PATH)).body.data;
  const [third, second, first] = rows.map(({ createdAt }: { createdAt: string }) => createdAt);
  const before = on('/range').length;
  const again = async (body: object) => (await api.post(`${PATH}/redeliver`, body)).body;
  const after = new Date(Date.parse(third) + 1).toISOString();
  assert.equal(await again({ from: after, to: '2100-01-01T00:00:00.000Z' }), { count: 0 });
  assert.equal(await again({ from: first, to: second }), { count: 1 }, 'the end is not in it');
  await eventually('the first', () => on('/range').length === before + 1);
  await eventually('all ended', async () => (await api.get(`${PATH}?status=pending`)).body.data.length === 0);
  assert.equal(await again({ from: first, to: after, status: 'failed' }), { count: 1 });
  await eventually('the second', () => on('/range').length === before + 2);
  const ids = on('/range').slice(before);
  assert.equal(
    ids.map(({ headers }) => headers['x-webhook-id']),
    [rows[2].eventId, rows[1].eventId],
  );
});

test('redelivery by time queues nothing twice while it is pending', async () => {
  const { api } = await service.company();
  for (const _ of [1, 2, 3]) await ended(api, await told(api, '/twice'), 'delivered');
  script.set('/twice', ['hang', 'hang', 'hang']);
  const body = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  const counts = await Promise.all([1, 2, 3].map(() => api.post(`${PATH}/redeliver`, body)));
  assert.equal(
    counts.map(({ status }) => status),
    [202, 202, 202],
  );
  assert.is(
    counts.reduce((sum, reply) => sum + reply.body.count, 0),
    3,
  );
  await eventually('each once more', () => on('/twice').length === 6);
});

test('redelivery by time refuses a time that ends before it begins, and unknown members', async () => {
  const { api } = await service.key(companyId);
  const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
  for (const [body, pointer] of [
    [{ from: late, to: early }, '/to'],
    [{ from: early, to: early }, '/to'],
    [{ from: early }, '/to'],
    [{ from: 'yesterday', to: late }, '/from'],
    [{ from: '2016-12-31T23:59:60Z', to: late }, '/from'],
    [{ from: early, to: late, status: 'lost' }, '/status'],
    [{ from: early, to: late, more: 1 }, '/more'],
  ] as const) {
    const reply = await api.post(`${PATH}/redeliver`, body);
    assert.equal([reply.status, reply.body.errors[0].pointer], [422, pointer], JSON.stringify(body));
  }
});

test('what a redacted submission sent can’t be sent again: 410', async () => {
  const { id: keyId, api } = await service.key(companyId);
  const core = await wireCore(service.config);
  const eventId = core.ids.event();
  const submissionId = `sub_${core.ids.ulid()}`;
  await subjectKeys({ tables: core.documents.tables, keyring: core.keyring }).destroy(
    submissionId,
    DESTRUCTION,
  );
  const facts = { ...deliveryFacts, companyId, keyId, submissionId, eventId };
  const command = { type: 'RequestDelivery', facts, url: 'https://example.com/', body: '{}' } as const;
  await core.handle(webhookDelivery, webhookDeliveryStream(eventId), command, context);
  await core.close();
  await eventually('its failure', async () => (await api.get(`${PATH}/${eventId}`)).body.status === 'failed');
  const { status, body } = await api.post(`${PATH}/${eventId}/redeliver`);
  assert.equal([status, body.code], [410, 'delivery-gone']);
  const all = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  assert.equal((await api.post(`${PATH}/redeliver`, all)).body, { count: 0 }, 'passed over among many');
});

test(
  'after DELIVERY_RETENTION what was sent is gone, and its outcome is kept [deliveries-5] [deliveries-9] [deliveries-10]',
  async () => {
    const brief = await startService({ DELIVERY_RETENTION: '1ms', SWEEP: '1s' });
    try {
      const { api } = await brief.company();
      const job = await api.process([receiptText()], { webhookUrl: `${brief.receiver.url}/brief` });
      await ended(api, job, 'delivered');
      const { eventId } = await only(api);
      const core = await wireCore(brief.config);
      const kept = async () => (await core.log.load(webhookDeliveryStream(eventId))).events.length;
      await eventually('the end of its keeping', async () => (await kept()) === 1);
      await core.close();
      const gone = await api.post(`${PATH}/${eventId}/redeliver`);
      assert.equal([gone.status, gone.body.code], [410, 'delivery-gone']);
      const { status, body, attempts } = (await api.get(`${PATH}/${eventId}`)).body;
      assert.equal([body, attempts[0].receiver, attempts[0].answer], [null, null, null]);
      assert.equal([status, (await api.job(job)).body.webhookDeliveryStatus], ['delivered', 'delivered']);
    } finally {
      await brief.close();
    }
  },
  { timeoutMs: 60_000 },
);
