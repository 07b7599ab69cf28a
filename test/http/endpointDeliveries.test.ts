import { createHmac, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import * as assert from 'uvu/assert';
import type { Answer, Received } from '../../scripts/receiver.ts';
import { eventually, suite } from '../harness.ts';
import { type Client, type Reply, receiptText } from '../support/client.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('deliveries to webhook endpoints');
const PATH = '/api/v1/webhook-endpoints';
const DELIVERIES = '/api/v1/webhook-deliveries';
let service: TestService;
/** How the receiver answers on a path, from the first request on; 200 when there is no more. */
const script = new Map<string, (Answer | (() => Promise<Answer>))[]>();

test.before(async () => {
  const settings = { BATCH_GRACE: '300ms', SWEEP: '1s' };
  const answer = ({ path }: Received) => {
    const next = script.get(path)?.shift() ?? {};
    return typeof next === 'function' ? next() : next;
  };
  service = await startService(settings, { answer });
});
test.after(() => service.close());

const urlOf = (path: string): string => `${service.receiver.url}${path}`;
const on = (path: string): readonly Received[] =>
  service.receiver.requests.filter((request) => request.path === path);
const first = (path: string): Promise<Received> =>
  service.receiver.waitFor((request) => request.path === path);
const make = async (api: Client, path: string, over: object = {}): Promise<Reply['body']> => {
  const { status, body, text } = await api.post(PATH, { url: urlOf(path), ...over });
  assert.is(status, 201, text);
  return body;
};
const listOf = async (api: Client, query = ''): Promise<Reply['body'][]> =>
  (await api.get(`${DELIVERIES}?limit=100${query}`)).body.data;
const deliveredTo = (api: Client, endpointId: string, status = 'delivered'): Promise<Reply['body']> =>
  eventually(`a delivery is ${status}`, async () => {
    const [found] = await listOf(api, `&endpointId=${endpointId}`);
    return found?.status === status && found;
  });
const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(6), 'base64');
const isSignedWith = ({ headers, body }: Received, secret: string): boolean => {
  const standard = headers as Record<string, string>;
  try {
    return Boolean(new Webhook(secret).verify(body.toString(), standard));
  } catch {
    return false;
  }
};

test('an event goes to its session’s address and to each endpoint, under one id with the same bytes [endpoints-8]', async () => {
  const { api } = await service.company();
  const [one, other] = [await make(api, '/both/1'), await make(api, '/both/2')];
  const { sessionId } = await api.process([receiptText()], { webhookUrl: urlOf('/both/session') });
  const received = await Promise.all(['/both/session', '/both/1', '/both/2'].map(first));
  assert.is(new Set(received.map(({ headers }) => headers['x-webhook-id'])).size, 1);
  assert.is(new Set(received.map(({ body }) => body.toString())).size, 1);
  assert.is(JSON.parse(received[0]?.body.toString() ?? '').sessionId, sessionId);
  const signatures = received.map(({ headers }) => headers['x-webhook-signature']);
  assert.is(new Set(signatures).size, 3, 'each by a secret of its own');
  for (const { id } of [one, other]) await deliveredTo(api, id);
  assert.equal(
    ['/both/session', '/both/1', '/both/2'].map((path) => on(path).length),
    [1, 1, 1],
  );
});

test('an endpoint’s secret signs both ways [endpoints-10]', async () => {
  const { api } = await service.company();
  const { secret } = await make(api, '/signed');
  await api.process([receiptText()]);
  const received = await first('/signed');
  const { headers, body } = received;
  assert.is(
    headers['x-webhook-signature'],
    `sha256=${createHmac('sha256', keyOf(secret)).update(body).digest('hex')}`,
  );
  assert.ok(isSignedWith(received, secret));
  assert.equal(
    [headers['user-agent'], headers['x-webhook-event'], headers['x-webhook-id']],
    ['service-webhook/1.0', 'session.completed', JSON.parse(body.toString()).eventId],
  );
});

test('in the overlap of a rotation both secrets verify, behind it the new one alone [endpoints-5, endpoints-10]', async () => {
  const { api } = await service.company();
  const { id, secret: former } = await make(api, '/rotated');
  const { secret } = (await api.post(`${PATH}/${id}/rotate-secret`, { overlapSeconds: 600 })).body;
  await api.process([receiptText()]);
  const received = await first('/rotated');
  assert.ok(isSignedWith(received, secret) && isSignedWith(received, former));
  assert.is(String(received.headers['webhook-signature']).split(' ').length, 2);
  const byNewest = createHmac('sha256', keyOf(secret)).update(received.body).digest('hex');
  assert.is(received.headers['x-webhook-signature'], `sha256=${byNewest}`);
  const last = (await api.post(`${PATH}/${id}/rotate-secret`, { overlapSeconds: 0 })).body.secret;
  await api.process([receiptText()]);
  const second = await service.receiver.waitFor(
    (request) => request.path === '/rotated' && request !== received,
  );
  assert.equal(
    [last, secret, former].map((one) => isSignedWith(second, one)),
    [true, false, false],
  );
});

test.long(
  'rotated three times under 1,000 deliveries, each verifies with a secret that was valid when it was sent [endpoints-5]',
  async () => {
    const DELIVERIES_MADE = 1_000;
    const { api } = await service.company();
    const { id, secret } = await make(api, '/thousand');
    const secrets: string[] = [secret];
    const came = () => on('/thousand').length;
    let sent = 0;
    const load = async (): Promise<void> => {
      for (sent += 1; sent <= DELIVERIES_MADE; sent += 1) await api.process([receiptText()]);
    };
    const loads = Array.from({ length: 8 }, load);
    for (const share of [0.25, 0.5, 0.75]) {
      await eventually('deliveries', () => came() >= share * DELIVERIES_MADE);
      const rotated = await api.post(`${PATH}/${id}/rotate-secret`, { overlapSeconds: 2 });
      secrets.push(rotated.body.secret);
    }
    await Promise.all(loads);
    await eventually('all deliveries', () => came() >= DELIVERIES_MADE);
    const unsigned = on('/thousand').filter((one) => !secrets.some((known) => isSignedWith(one, known)));
    assert.equal(unsigned, []);
    const last = secrets.at(-1) ?? '';
    assert.ok(isSignedWith(on('/thousand').at(-1) as Received, last), 'the newest one at the end');
  },
  { timeoutMs: 600_000 },
);

test('an endpoint gets the types that it asks for, of its company and mode, of what happens from then on while it is enabled [endpoints-7]', async () => {
  const [company, foreign] = [await service.company(), await service.company()];
  const { api } = company;
  await api.process([receiptText()]);
  const all = await make(api, '/chosen/all');
  await make(api, '/chosen/batches', { eventTypes: ['batch.completed'] });
  await make((await service.key(company.id, 'test')).api, '/chosen/test');
  await make(foreign.api, '/chosen/foreign');
  const disabled = await make(api, '/chosen/disabled');
  await api.post(`${PATH}/${disabled.id}/disable`);
  const { sessionId } = await api.process([receiptText()]);
  const { body } = await first('/chosen/all');
  assert.is(JSON.parse(body.toString()).sessionId, sessionId);
  await api.post(`${PATH}/${disabled.id}/enable`);
  const next = await api.process([receiptText()]);
  const late = await first('/chosen/disabled');
  assert.is(JSON.parse(late.body.toString()).sessionId, next.sessionId);
  await eventually('both', async () => (await listOf(api, `&endpointId=${all.id}`)).length === 2);
  assert.equal(
    ['/chosen/batches', '/chosen/test', '/chosen/foreign'].map((path) => on(path).length),
    [0, 0, 0],
  );
});

test('batch.completed goes to the endpoints, also where no session has an address [endpoints-9]', async () => {
  const { api } = await service.company();
  await make(api, '/batches', { eventTypes: ['batch.completed'] });
  const batchRef = randomUUID();
  await api.process([receiptText()], { batchRef });
  const { body } = await first('/batches');
  const envelope = JSON.parse(body.toString());
  assert.equal([envelope.eventType, envelope.batchRef], ['batch.completed', batchRef]);
});

test('a job’s webhookDeliveryStatus is that of its webhookUrl alone [endpoints-11]', async () => {
  const { api } = await service.company();
  const failing = Array.from({ length: 9 }, () => ({ status: 500 }));
  script.set('/status/endpoint', failing);
  const { id } = await make(api, '/status/endpoint');
  const quiet = await api.process([receiptText()]);
  await deliveredTo(api, id, 'failed');
  assert.is((await api.job(quiet)).body.webhookDeliveryStatus, null);
  const told = await api.process([receiptText()], { webhookUrl: urlOf('/status/session') });
  await eventually(
    'it is told',
    async () => (await api.job(told)).body.webhookDeliveryStatus === 'delivered',
  );
});

test('a delivery to an endpoint has an id of its own, is seen by every key of the company, and is sent again [deliveries-8]', async () => {
  const company = await service.company();
  const { api, keyId } = company;
  script.set('/again', [{ status: 500 }, { status: 500 }, { status: 500 }, { status: 500 }]);
  const { id } = await make(api, '/again');
  await api.process([receiptText()], { webhookUrl: urlOf('/again/session') });
  const failed = await deliveredTo(api, id, 'failed');
  assert.equal([failed.id, failed.endpointId], [`${failed.eventId}.${id.slice(4)}`, id]);
  const { api: second } = await service.key(company.id);
  assert.equal(await listOf(second), [], 'without the filter a key lists its own');
  assert.equal((await listOf(second, `&endpointId=${id}`))[0]?.id, failed.id);
  assert.equal((await listOf(second, `&endpointId=${id}&keyId=${keyId}`))[0]?.id, failed.id);
  assert.is((await second.get(`${DELIVERIES}/count?endpointId=${id}`)).body.count, 1);
  assert.is((await second.get(`${DELIVERIES}/${failed.id}`)).body.attempts.length, 4);
  assert.is((await second.get(`${DELIVERIES}/${failed.eventId}`)).status, 404, 'that of the session');
  const ofSession = (await api.get(`${DELIVERIES}/${failed.eventId}`)).body;
  assert.equal([ofSession.id, ofSession.endpointId, ofSession.status], [failed.eventId, null, 'delivered']);
  for (const { api: stranger } of [await service.company(), await service.key(company.id, 'test')]) {
    assert.is((await stranger.get(`${DELIVERIES}/${failed.id}`)).status, 404);
    assert.equal(await listOf(stranger, `&endpointId=${id}`), []);
  }
  assert.equal((await second.post(`${DELIVERIES}/${failed.id}/redeliver`)).body, { count: 1 });
  await deliveredTo(api, id);
  assert.is(on('/again').length, 5);
  assert.is(on('/again/session').length, 1);
});

test('failed ones of an endpoint are recovered together [deliveries-8]', async () => {
  const { api } = await service.company();
  script.set(
    '/recovered',
    Array.from({ length: 4 }, () => ({ status: 500 })),
  );
  const { id } = await make(api, '/recovered');
  const since = new Date(Date.now() - 60_000).toISOString();
  await api.process([receiptText()]);
  await deliveredTo(api, id, 'failed');
  const recovered = await api.post(`${DELIVERIES}/recover`, { since, endpointId: id });
  assert.is(recovered.body.count, 1, recovered.text);
  await deliveredTo(api, id);
});

test('webhooks under way go to a changed address, and end when the endpoint is disabled or deleted [endpoints-13]', async () => {
  const { api } = await service.company();
  const { id } = await make(api, '/moved/old');
  const move = async (): Promise<Answer> => {
    const { status } = await api.call('PUT', `${PATH}/${id}`, { body: { url: urlOf('/moved/new') } });
    assert.is(status, 200);
    return { status: 500 };
  };
  script.set('/moved/old', [move]);
  await api.process([receiptText()]);
  const { headers } = await first('/moved/old');
  const failing = Array.from({ length: 3 }, () => ({ status: 500 }));
  script.set('/moved/new', failing);
  const moved = await first('/moved/new');
  assert.is(moved.headers['x-webhook-id'], headers['x-webhook-id']);
  const [{ id: deliveryId }] = await listOf(api, `&endpointId=${id}`);
  await deliveredTo(api, id, 'failed');
  await api.post(`${PATH}/${id}/disable`);
  const lastError = async (): Promise<string> =>
    (await api.get(`${DELIVERIES}/${deliveryId}`)).body.attempts.at(-1).error;
  const again = async (): Promise<string> => {
    const attempts = async () => (await api.get(`${DELIVERIES}/${deliveryId}`)).body;
    const before = (await attempts()).attempts.length;
    assert.equal((await api.post(`${DELIVERIES}/${deliveryId}/redeliver`)).body, { count: 1 });
    await eventually('it ends', async () => {
      const { status, attempts: made } = await attempts();
      return status === 'failed' && made.length === before + 1;
    });
    return lastError();
  };
  assert.is(await again(), 'the endpoint is disabled');
  await api.call('DELETE', `${PATH}/${id}`);
  assert.is(await again(), 'the endpoint was deleted');
});

test('webhooks that wait for another attempt fail as soon as the endpoint is disabled or deleted, whatever its schedule [endpoints-13]', async () => {
  const { api } = await service.company();
  const close = {
    disabled: (id: string) => api.post(`${PATH}/${id}/disable`),
    deleted: (id: string) => api.call('DELETE', `${PATH}/${id}`),
  };
  const errors = { disabled: 'the endpoint is disabled', deleted: 'the endpoint was deleted' };
  for (const how of ['disabled', 'deleted'] as const) {
    const path = `/waiting/${how}`;
    script.set(path, [{ status: 500 }]);
    const { id } = await make(api, path, { retrySchedule: 'extended' });
    await api.process([receiptText()]);
    const attemptsOf = async (deliveryId: string): Promise<{ error: string }[]> =>
      (await api.get(`${DELIVERIES}/${deliveryId}`)).body.attempts;
    const waiting = await eventually('it waits half a minute', async () => {
      const [found] = await listOf(api, `&endpointId=${id}&status=pending`);
      return found && (await attemptsOf(found.id)).length === 1 && found;
    });
    await close[how](id);
    await deliveredTo(api, id, 'failed');
    assert.equal(
      (await attemptsOf(waiting.id)).map(({ error }) => error),
      ['answered 500', errors[how]],
    );
    assert.is(on(path).length, 1);
  }
});

test('a test is signed as every webhook, and its outcome is a result [endpoints-14]', async () => {
  const { api } = await service.company();
  const { id, secret } = await make(api, '/tested');
  script.set('/tested', [{ status: 204 }, { status: 418 }]);
  const { status, body } = await api.post(`${PATH}/${id}/test`);
  assert.is(status, 200);
  const { checkedAt: _, ...result } = body;
  assert.equal(result, { success: true, statusCode: 204, error: null });
  const received = await first('/tested');
  assert.ok(isSignedWith(received, secret));
  const { eventId, occurredAt, ...rest } = JSON.parse(received.body.toString());
  assert.equal(
    [received.headers['x-webhook-id'], received.headers['x-webhook-event']],
    [eventId, 'webhook.test'],
  );
  assert.ok(Math.abs(Date.now() - Date.parse(occurredAt)) < 60_000);
  assert.equal(rest, {
    ...{ eventType: 'webhook.test', sessionId: null, submissionId: null, workflow: null, state: null },
    ...{ submissionStatus: null, result: null, clientSubmissionId: null, metadata: null, batchRef: null },
  });
  await api.post(`${PATH}/${id}/disable`);
  const failed = (await api.post(`${PATH}/${id}/test`)).body;
  assert.equal([failed.success, failed.statusCode, failed.error], [false, 418, 'answered 418']);
  assert.equal(await listOf(api, `&endpointId=${id}`), [], 'it is no delivery');
});
