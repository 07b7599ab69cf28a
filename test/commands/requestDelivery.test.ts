import * as assert from 'uvu/assert';
import { requestDelivery } from '../../commands/requestDelivery.ts';
import type { BatchEvent } from '../../domain/batch.ts';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import { webhookDeliveryStream } from '../../domain/webhookDelivery.ts';
import type { WebhookDeliveryEvent } from '../../domain/webhookDeliveryEvents.ts';
import { batchEnvelope } from '../../domain/webhookEvents.ts';
import type { EventOf, Recorded } from '../../kernel/event.ts';
import { DESTRUCTION } from '../controls/destruction.ts';
import { examples, logged } from '../controls/events.ts';
import { type Sessions, sessionsOn } from '../controls/sessions.ts';
import { type Stores, temporaryStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('requestDelivery');
let stores: Stores;
let sessions: Sessions;
test.before(() => {
  stores = temporaryStores();
  sessions = sessionsOn(stores);
});
test.after(() => stores.remove());

const eventsOf = async (submissionId: string): Promise<readonly Recorded<SubmissionEvent>[]> =>
  (await stores.log.load(submissionStream(submissionId))).events as readonly Recorded<SubmissionEvent>[];
const deliveryOf = async (event: Recorded | undefined) =>
  (await stores.log.load(webhookDeliveryStream(event?.id ?? ''))).events;

test('an event that causes a webhook gets one delivery, however often it is requested [webhooks-13, webhooks-33]', async () => {
  const submissionId = await sessions.inReview();
  const last = (await eventsOf(submissionId)).at(-1);
  if (!last) throw new Error('no event');
  const event = { ...last, metadata: { ...last.metadata, requestId: 'req-1' } };
  const request = requestDelivery(stores.handle, stores.log, () => []);
  await Promise.all([request(event), request(event), request(event)]);
  await request(event);
  const [requested, ...more] = await deliveryOf(event);
  assert.equal([requested?.type, more.length], ['WebhookRequested', 0]);
  const data = requested?.data as { private: { url: string; body: string }; eventId: string };
  assert.equal([data.eventId, data.private.url], [event.id, 'https://example.com/hook']);
  const body = JSON.parse(data.private.body) as Record<string, unknown>;
  assert.equal(
    [body.eventId, body.eventType, body.submissionId, body.submissionStatus],
    [event.id, 'session.review_required', submissionId, 'review'],
  );
  assert.is(requested?.metadata.$causationId, event.id);
  assert.is(requested?.metadata.$correlationId, event.metadata.$correlationId);
  assert.is(requested?.metadata.requestId, 'req-1');
});

test('its body is the state as of its event, not as of now', async () => {
  const submissionId = await sessions.inReview();
  const event = (await eventsOf(submissionId)).at(-1);
  if (!event) throw new Error('no event');
  await sessions.run(submissionId, { type: 'Reject', reason: 'no', actor: null });
  await requestDelivery(stores.handle, stores.log, () => [])(event);
  const [requested] = await deliveryOf(event);
  if (!requested) throw new Error('no delivery');
  const { body } = (requested.data as { private: { body: string } }).private;
  assert.is((JSON.parse(body) as { submissionStatus: string }).submissionStatus, 'review');
});

test('an event that causes none, and a session without an address, get none', async () => {
  const request = requestDelivery(stores.handle, stores.log, () => []);
  const quiet = await sessions.withFile({ webhookUrl: null });
  await sessions.run(quiet.submissionId, { type: 'Cancel', reason: null, actor: null });
  const events = [...(await eventsOf(quiet.submissionId)), ...(await eventsOf(await sessions.inReview()))];
  const before = await stores.log.head();
  for (const event of events.slice(0, -1)) await request(event);
  assert.is(await stores.log.head(), before);
});

test('each endpoint gets the same bytes under the same id, once, also without a session’s address [endpoints-8]', async () => {
  const endpoints = ['a', 'b'].map((letter) => ({
    id: `whe_${letter.repeat(26)}`,
    url: `https://example.com/${letter}`,
  }));
  const asked: string[] = [];
  const request = requestDelivery(stores.handle, stores.log, (_event, eventType) => {
    asked.push(eventType);
    return endpoints;
  });
  const { submissionId } = await sessions.withFile({ webhookUrl: null });
  await sessions.run(submissionId, { type: 'Cancel', reason: null, actor: null });
  const event = (await eventsOf(submissionId)).at(-1);
  if (!event) throw new Error('no event');
  await Promise.all([request(event), request(event)]);
  assert.equal(asked, ['submission.cancelled', 'submission.cancelled']);
  assert.equal(await deliveryOf(event), []);
  const made = await Promise.all(
    endpoints.map(async ({ id }) => {
      const stream = webhookDeliveryStream(`${event.id}.${id.slice(4)}`);
      const [requested, ...more] = (await stores.log.load(stream)).events;
      assert.is(more.length, 0);
      return requested?.data as {
        eventId: string;
        endpointId: string;
        private: { url: string; body: string };
      };
    }),
  );
  assert.equal(
    made.map(({ eventId, endpointId, private: { url } }) => [eventId, { id: endpointId, url }]),
    endpoints.map((endpoint) => [event.id, endpoint]),
  );
  assert.is(new Set(made.map(({ private: { body } }) => body)).size, 1);
});

test('that of a redacted submission is requested, without private data', async () => {
  const submissionId = await sessions.inReview();
  const event = (await eventsOf(submissionId)).at(-1);
  if (!event) throw new Error('no event');
  await stores.keys.destroy(submissionId, DESTRUCTION);
  await requestDelivery(stores.handle, stores.log, () => [])(event);
  const [requested] = await deliveryOf(event);
  if (!requested) throw new Error('no delivery');
  assert.equal((requested.data as { private?: unknown }).private, { redacted: true });
});

const completions = logged([examples.BatchCompleted]) as readonly Recorded<BatchEvent>[];
/** A completion that no other test has seen. */
const completion = (over: Partial<BatchEvent['data']> = {}): Recorded<BatchEvent> => {
  const [event] = completions;
  if (!event) throw new Error('no event');
  return { ...event, id: stores.ids.event(), data: { ...event.data, ...over } };
};

/** What the one event of its delivery says. */
const requestedOf = async (
  event: Recorded,
): Promise<EventOf<WebhookDeliveryEvent, 'WebhookRequested'>['data']> => {
  const [requested, ...more] = await deliveryOf(event);
  if (!requested || more.length > 0) throw new Error('not one delivery');
  return requested.data as EventOf<WebhookDeliveryEvent, 'WebhookRequested'>['data'];
};

test('a completed batch gets one delivery, of its own, to the address and under the key that its event names', async () => {
  const event = completion({ keyId: 'key_1' });
  const request = requestDelivery(stores.handle, stores.log, () => []);
  await Promise.all([request(event), request(event)]);
  const data = await requestedOf(event);
  const { submissionId, workflow, keyId, batchId, eventType, occurredAt } = data;
  assert.equal([submissionId, workflow, keyId, batchId], [null, null, 'key_1', event.data.batchId]);
  assert.equal([eventType, occurredAt], ['batch.completed', event.data.completedAt]);
  const body = JSON.stringify(batchEnvelope(event));
  assert.equal(data.private, { url: 'https://example.com/hook', body });
  assert.equal((await stores.keys.find([batchId ?? ''])).size, 1, 'sealed under the batch');
});

test('a batch of which no session has an address gets none', async () => {
  const event = completion({ notifies: false, private: { batchRef: 'b', webhookUrl: null } });
  await requestDelivery(stores.handle, stores.log, () => [])(event);
  assert.is((await deliveryOf(event)).length, 0);
});

test('that of a redacted batch is requested, without private data', async () => {
  const event = completion({ batchId: 'c'.repeat(64), private: { redacted: true } });
  await stores.keys.destroy(event.data.batchId, DESTRUCTION);
  await requestDelivery(stores.handle, stores.log, () => [])(event);
  assert.equal((await requestedOf(event)).private, { redacted: true });
});

test('once a redaction was requested its last event alone has a delivery, to the address it kept [redaction-7, webhooks-36]', async () => {
  const submissionId = await sessions.inReview();
  await sessions.run(submissionId, {
    ...{ type: 'Redact', reason: 'erasure', legalBasis: 'erasure_request', requestedBy: null },
  });
  await stores.keys.destroy(submissionId, DESTRUCTION);
  await sessions.run(submissionId, { type: 'RecordRedaction', objects: 1, deliveries: 0 });
  const request = requestDelivery(stores.handle, stores.log, () => []);
  const events = await eventsOf(submissionId);
  for (const event of events) await request(event);
  for (const event of events.slice(0, -1)) assert.equal(await deliveryOf(event), []);
  const [requested] = await deliveryOf(events.at(-1));
  if (!requested) throw new Error('no delivery');
  const { url, body } = (requested.data as { private: { url: string; body: string } }).private;
  assert.is(url, 'https://example.com/hook');
  const { eventType, clientSubmissionId, metadata } = JSON.parse(body) as Record<string, unknown>;
  assert.equal([eventType, clientSubmissionId, metadata], ['submission.redacted', null, null]);
});
