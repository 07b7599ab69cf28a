import type { BatchEvent } from '../domain/batch.ts';
import type { RedactionRequested } from '../domain/submission/redaction.ts';
import type { SubmissionEvent } from '../domain/submission/state.ts';
import { submission, submissionStream } from '../domain/submission/submission.ts';
import { type DeliveryRequest, webhookDelivery, webhookDeliveryStream } from '../domain/webhookDelivery.ts';
import { deliveryIdOf } from '../domain/webhookDeliveryEvents.ts';
import {
  batchEnvelope,
  type WebhookEventType,
  webhookEnvelope,
  webhookTypeOf,
} from '../domain/webhookEvents.ts';
import { causedBy, type Recorded, reveal } from '../kernel/event.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { Handle } from './handle.ts';
import { fold, NEW_STREAM } from './load.ts';

type Causing = Recorded<SubmissionEvent | BatchEvent>;

/** The webhook endpoints that get an event. */
export type EndpointsOf = (
  event: Causing,
  eventType: WebhookEventType,
) => readonly Readonly<{ id: string; url: string }>[];

/** What is delivered of an event; `url` is its session's, null for none. */
type Notice = Readonly<{ facts: DeliveryRequest['facts']; url: string | null; body(): string }>;

/**
 * Requests the webhooks that an event causes: that to its session's address, and one to each endpoint of its
 * company, all with the same bytes. The event and the endpoint name the delivery's stream, so that a repeated
 * request has no effect (webhooks-33). Once a submission's redaction was requested its last event alone has
 * one.
 */
export const requestDelivery =
  (handle: Handle, log: EventLog, endpointsOf: EndpointsOf) =>
  async (event: Causing): Promise<void> => {
    const eventType = webhookTypeOf(event);
    if (eventType === null) return;
    const notice =
      event.type === 'BatchCompleted' ? ofBatch(event) : await ofSubmission(log, event, eventType);
    if (notice === null) return;
    const { facts, url } = notice;
    const deliveries = [
      ...(url === null ? [] : [{ facts, url }]),
      ...endpointsOf(event, eventType).map((one) => ({
        facts: { ...facts, endpointId: one.id },
        url: one.url,
      })),
    ];
    if (deliveries.length === 0) return;
    const body = notice.body();
    const context = { actor: { kind: 'system', id: 'webhooks' }, ...causedBy(event) } as const;
    const request = async (delivery: Omit<DeliveryRequest, 'body'>): Promise<void> => {
      const command = { type: 'RequestDelivery', ...delivery, body } as const;
      const stream = webhookDeliveryStream(deliveryIdOf(delivery.facts));
      await handle(webhookDelivery, stream, command, context, { loaded: NEW_STREAM });
    };
    await Promise.all(deliveries.map(request));
  };

const ofSubmission = async (
  log: EventLog,
  event: Recorded<SubmissionEvent>,
  eventType: WebhookEventType,
): Promise<Notice | null> => {
  const { events } = await log.load(submissionStream(event.data.submissionId));
  const state = fold(submission, events, event.revision);
  if (!state) return null;
  const request = (events as readonly Recorded<SubmissionEvent>[]).find(isRequest);
  if (request && event.type !== 'SubmissionRedacted') return null;
  const kept = request?.data.private;
  return {
    facts: { ...state.routing, eventId: event.id, eventType, occurredAt: event.metadata.at },
    url: request ? (kept ? reveal(kept, 'webhookUrl') : null) : state.webhookUrl,
    body: () => JSON.stringify(webhookEnvelope(event, eventType, state)),
  };
};

const isRequest = (event: Recorded<SubmissionEvent>): event is Recorded<RedactionRequested> =>
  event.type === 'SubmissionRedactionRequested';

/** To the address, and under the key, of the session that the event names (batches-12). */
const ofBatch = (event: Recorded<BatchEvent>): Notice => {
  const { companyId, mode, keyId, batchId, completedAt, notifies } = event.data;
  const routing = { submissionId: null, workflow: null, companyId, mode, keyId, batchId };
  return {
    facts: { ...routing, eventId: event.id, eventType: 'batch.completed', occurredAt: completedAt },
    url: notifies ? reveal(event.data.private, 'webhookUrl') : null,
    body: () => JSON.stringify(batchEnvelope(event)),
  };
};
