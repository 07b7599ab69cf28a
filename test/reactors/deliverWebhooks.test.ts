import * as assert from 'uvu/assert';
import { webhookDelivery, webhookDeliveryStream } from '../../domain/webhookDelivery.ts';
import { type Attempt, deliveryIdOf } from '../../domain/webhookDeliveryEvents.ts';
import { webhookEndpoint, webhookEndpointStream } from '../../domain/webhookEndpoint.ts';
import type { Position } from '../../kernel/event.ts';
import type { DeliveryItem } from '../../projections/deliveryQueue.ts';
import { createProgress } from '../../projections/engine/progress.ts';
import { type DeliverPorts, deliverWebhook } from '../../reactors/deliverWebhooks.ts';
import { readConfig } from '../../runtime/settings/config.ts';
import type { Claimed } from '../../stores/documents/port.ts';
import { DESTRUCTION } from '../controls/destruction.ts';
import { deliveryFacts } from '../controls/events.ts';
import { recordedSending } from '../controls/sending.ts';
import { context, failure, type Stores, temporaryStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('deliverWebhook');
let stores: Stores;
test.before(async () => {
  stores = temporaryStores();
  const { keyId, companyId, mode } = deliveryFacts;
  await stores.credentials.add({
    keyId,
    hash: 'f'.repeat(64),
    companyId,
    mode,
    revokedAt: '2026-11-21T09:00:00.000Z',
    lastUsedAt: null,
  });
});
test.after(() => stores.remove());

const good: Attempt = { statusCode: 204, durationMs: 3, error: null };
const bad: Attempt = { statusCode: 500, durationMs: 12, error: 'answered 500' };
const unaborted = new AbortController().signal;

/** A worker's ports with a sender that gives `answer`, and what they saw. */
const portsWith = (answer: Attempt | Error, over: Partial<DeliverPorts> = {}) => {
  const { sent, told, sender, lanes } = recordedSending(answer);
  const ports: DeliverPorts = {
    ...stores,
    sender,
    lanes,
    progress: { ...createProgress(async () => null), reached: async () => true },
    endpointSecrets: { validAt: async () => [] },
    retryDelaysMs: [30_000, 300_000],
    onUnseen: () => void told.push('unseen'),
    ...over,
  };
  return { sent, lanes: told, deliver: deliverWebhook(ports) };
};

let deliveries = 0;

/** Requests a delivery, and gives the work that the queue would hold for its `attempt`th try. */
const requested = async (over: Partial<typeof deliveryFacts> & { endpointId?: string } = {}) => {
  const eventId = `event-${++deliveries}`;
  const facts = { ...deliveryFacts, ...over, eventId };
  const id = deliveryIdOf(facts);
  const command = {
    type: 'RequestDelivery',
    facts,
    url: 'https://example.com/hook',
    body: '{"a":1}',
  } as const;
  await stores.handle(webhookDelivery, webhookDeliveryStream(id), command, {
    ...context,
    requestId: 'req-1',
  });
  const item = (attempt: number): Claimed<DeliveryItem> => ({
    id,
    position: '1' as Position,
    document: { id, lane: 'lane', dueAt: 'now', attempt },
    fence: { lease: 'l', owner: 'o', token: 1 },
  });
  const events = async () => (await stores.log.load(webhookDeliveryStream(id))).events;
  return { eventId, item, events };
};
const typesOf = (events: readonly { type: string }[]): readonly string[] => events.map(({ type }) => type);

test('where no delays are set, a receiver that always fails gets four attempts: 30 s, 5 min and 30 min apart [webhooks-16]', async () => {
  const { item, events } = await requested();
  const { deliver } = portsWith(bad, { retryDelaysMs: readConfig({}).webhook.retryDelaysMs });
  for (const attempt of [1, 2, 3, 4, 5]) await deliver(item(attempt), unaborted);
  const due = (await events()).flatMap(({ type, data }) =>
    type === 'WebhookAttempted' ? [(data as { nextAttemptAt: string | null }).nextAttemptAt] : [],
  );
  const times = ['10:00:30', '10:05:00', '10:30:00'];
  assert.equal(due, [...times.map((time) => `2026-11-21T${time}.000Z`), null]);
  assert.is(typesOf(await events()).at(-1), 'WebhookFailed');
});

test('a success is recorded with its attempt', async () => {
  const { item, events, eventId } = await requested();
  const { deliver, sent, lanes } = portsWith(good);
  const position = await deliver(item(1), unaborted);
  const stored = await events();
  assert.equal(typesOf(stored), ['WebhookRequested', 'WebhookAttempted', 'WebhookDelivered']);
  assert.is(position, stored.at(-1)?.position);
  for (const { metadata } of stored.slice(1))
    assert.equal(
      [metadata.$correlationId, metadata.$causationId, metadata.requestId],
      [context.correlationId, stored[0]?.id, 'req-1'],
    );
  assert.equal(lanes, ['started lane', 'finished lane true']);
  const [request] = sent;
  assert.equal([request?.url, request?.body], ['https://example.com/hook', '{"a":1}']);
  assert.is(request?.headers['X-Webhook-Id'] ?? request?.headers['x-webhook-id'], eventId);
});

test('a failure says when it is tried again', async () => {
  const { item, events } = await requested();
  const { deliver, lanes } = portsWith(bad);
  await deliver(item(1), unaborted);
  const last = (await events()).at(-1)?.data as { nextAttemptAt: string; statusCode: number };
  assert.equal([last.statusCode, last.nextAttemptAt], [500, '2026-11-21T10:00:30.000Z']);
  assert.is(lanes.at(-1), 'finished lane false');
});

test('when the tries are used up the delivery has failed', async () => {
  const { item, events } = await requested();
  const { deliver, sent } = portsWith(bad);
  for (const attempt of [1, 2, 3]) await deliver(item(attempt), unaborted);
  assert.equal(typesOf(await events()), [
    'WebhookRequested',
    'WebhookAttempted',
    'WebhookAttempted',
    'WebhookAttempted',
    'WebhookFailed',
  ]);
  assert.is(new Set(sent.map(({ body }) => body)).size, 1, 'the same bytes each time');
  assert.is(await deliver(item(4), unaborted), null);
  assert.is(sent.length, 3);
});

test('a redelivery counts on and has the whole schedule before it', async () => {
  const { item, events, eventId } = await requested();
  const { deliver, sent } = portsWith(bad);
  for (const attempt of [1, 2, 3]) await deliver(item(attempt), unaborted);
  await stores.handle(webhookDelivery, webhookDeliveryStream(eventId), { type: 'Redeliver' }, context);
  for (const attempt of [4, 5, 6, 7]) await deliver(item(attempt), unaborted);
  const attempts = (await events()).filter(({ type }) => type === 'WebhookAttempted');
  assert.equal(
    attempts.map(({ data }) => (data as { nextAttemptAt: string | null }).nextAttemptAt),
    [
      ...['2026-11-21T10:00:30.000Z', '2026-11-21T10:05:00.000Z', null],
      ...['2026-11-21T10:00:30.000Z', '2026-11-21T10:05:00.000Z', null],
    ],
  );
  assert.is(new Set(sent.map(({ body }) => body)).size, 1, 'the same bytes each time');
});

test('work that is done or not yet due by the log sends nothing', async () => {
  const { item, events } = await requested();
  const { deliver, sent, lanes } = portsWith(bad);
  await deliver(item(1), unaborted);
  assert.is(await deliver(item(1), unaborted), null, 'the queue is behind');
  assert.is(await deliver(item(3), unaborted), null, 'another attempt');
  assert.is(await deliver({ ...item(1), id: 'nowhere' }, unaborted), null, 'unknown');
  assert.equal([sent.length, (await events()).length], [1, 2]);
  assert.is(lanes.at(-1), 'finished lane null');
});

test('a revoked key still signs; without its row no attempt is sent, and each is recorded', async () => {
  const { item, events } = await requested({ keyId: 'key_nobody' } as Partial<typeof deliveryFacts>);
  const { deliver, sent } = portsWith(good);
  await deliver(item(1), unaborted);
  assert.is(sent.length, 0);
  const last = (await events()).at(-1)?.data as Attempt;
  assert.equal([last.statusCode, last.durationMs], [null, 0]);
  assert.match(last.error ?? '', /key/);
});

/** Whether each attempt and end says that nothing could be sent. */
const notSentOf = (events: readonly { type: string; data: unknown }[]): readonly boolean[] =>
  events
    .filter(({ type }) => type === 'WebhookAttempted' || type === 'WebhookFailed')
    .map(({ data }) => (data as { notSent?: true }).notSent === true);

test('a redacted delivery sends nothing and fails at once, through no fault of the receiver [endpoints-15]', async () => {
  const submissionId = `sub_01hv6x3m8q2r5t7w9y0a1b2c3z` as typeof deliveryFacts.submissionId;
  const { item, events } = await requested({ submissionId });
  await stores.keys.destroy(submissionId, DESTRUCTION);
  const { deliver, sent, lanes } = portsWith(good);
  await deliver(item(1), unaborted);
  assert.is(sent.length, 0);
  assert.equal(typesOf(await events()).slice(1), ['WebhookAttempted', 'WebhookFailed']);
  assert.equal(notSentOf(await events()), [true, true]);
  assert.is(lanes.at(-1), 'finished lane null', 'its lane has no failure');
});

test('an aborted attempt is not recorded, and has no outcome in its lane', async () => {
  const { item, events } = await requested();
  const { deliver, lanes } = portsWith(new Error('called off'));
  assert.is((await failure(deliver(item(1), unaborted))).message, 'called off');
  assert.is((await events()).length, 1);
  assert.equal(lanes, ['started lane', 'finished lane null']);
});

test('of two workers with the same attempt only one is recorded', async () => {
  const { item, events } = await requested();
  const { deliver } = portsWith(bad);
  await Promise.all([deliver(item(1), unaborted), deliver(item(1), unaborted)]);
  assert.equal(typesOf(await events()), ['WebhookRequested', 'WebhookAttempted']);
});

test('a first attempt waits for the read models, and goes out counted when they are late [reads-4]', async () => {
  const asked: unknown[] = [];
  const reached = async (position: Position, ms: number): Promise<boolean> => {
    asked.push([position, ms]);
    return false;
  };
  const { item } = await requested();
  const progress = { ...createProgress(async () => null), reached };
  const { deliver, lanes, sent } = portsWith(bad, { progress });
  await deliver(item(1), unaborted);
  assert.equal(asked, [['1', 5_000]]);
  assert.equal([lanes[1], sent.length], ['unseen', 1]);
  await deliver(item(2), unaborted);
  assert.is(asked.length, 1, 'later ones do not wait');
});

/** An endpoint, and the ports with its secrets. */
const endpointOf = async (ulid: string, retrySchedule: 'standard' | 'extended' = 'standard') => {
  const endpointId = `whe_${ulid.repeat(26)}`;
  const { companyId, mode } = deliveryFacts;
  const options = { url: 'https://example.com/endpoint', description: null, eventTypes: null, retrySchedule };
  const run = (command: Parameters<typeof webhookEndpoint.decide>[0]) =>
    stores.handle(webhookEndpoint, webhookEndpointStream(endpointId), command, context);
  await run({ type: 'CreateWebhookEndpoint', endpointId, companyId, mode, ...options });
  return { endpointId, run };
};
const signing = (...secrets: readonly string[]) => ({ endpointSecrets: { validAt: async () => secrets } });
const errorsOf = (events: readonly { data: unknown }[]) =>
  events.flatMap(({ data }) => (data as { error?: string | null }).error ?? []);

test('a delivery to an endpoint goes to its address, signed with each of its secrets [endpoints-10, endpoints-13]', async () => {
  const { endpointId } = await endpointOf('a');
  const { item, events } = await requested({ endpointId });
  const { deliver, sent } = portsWith(good, signing('whsec_bmV3', 'whsec_b2xk'));
  await deliver(item(1), unaborted);
  assert.is(sent[0]?.url, 'https://example.com/endpoint');
  assert.match(sent[0]?.headers['webhook-signature'] ?? '', /^v1,\S+ v1,\S+$/);
  assert.equal(typesOf(await events()).at(-1), 'WebhookDelivered');
});

test('its schedule is the endpoint’s [endpoints-12]', async () => {
  const { endpointId } = await endpointOf('b', 'extended');
  const { item, events } = await requested({ endpointId });
  const { deliver } = portsWith(bad, signing('whsec_bmV3'));
  for (const attempt of [1, 2, 3, 4]) await deliver(item(attempt), unaborted);
  const last = (await events()).at(-1)?.data as { nextAttemptAt: string };
  assert.is(last.nextAttemptAt, '2026-11-21T12:00:00.000Z');
});

test('to an endpoint that is disabled or was deleted nothing is sent, and the delivery fails at once [endpoints-13]', async () => {
  const { endpointId, run } = await endpointOf('c');
  await run({ type: 'DisableWebhookEndpoint', reason: 'request', failingSince: null });
  const { deliver, sent } = portsWith(good, signing('whsec_bmV3'));
  const toDisabled = await requested({ endpointId });
  await deliver(toDisabled.item(1), unaborted);
  assert.equal(errorsOf(await toDisabled.events()), ['the endpoint is disabled']);
  await run({ type: 'DeleteWebhookEndpoint' });
  const toDeleted = await requested({ endpointId });
  await deliver(toDeleted.item(1), unaborted);
  assert.equal(errorsOf(await toDeleted.events()), ['the endpoint was deleted']);
  for (const { events } of [toDisabled, toDeleted])
    assert.is(typesOf(await events()).at(-1), 'WebhookFailed');
  assert.equal(sent, []);
});

test('without a secret nothing is sent, through no fault of the endpoint, and it is tried again [endpoints-15]', async () => {
  const { endpointId } = await endpointOf('d');
  const { item, events } = await requested({ endpointId });
  const { deliver, sent } = portsWith(good);
  await deliver(item(1), unaborted);
  assert.equal(errorsOf(await events()), ['the endpoint has no secret: its rotation makes one']);
  assert.equal([typesOf(await events()).at(-1), sent.length], ['WebhookAttempted', 0]);
  assert.equal(notSentOf(await events()), [true]);
  const { deliver: again } = portsWith(bad, signing('whsec_bmV3'));
  await again(item(2), unaborted);
  assert.equal(notSentOf(await events()), [true, false], 'what was sent is one of the endpoint');
});
