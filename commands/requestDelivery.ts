import type { BatchEvent } from '../domain/batch.ts';
import type { SubmissionEvent } from '../domain/submission/state.ts';
import { submission, submissionStream } from '../domain/submission/submission.ts';
import { type DeliveryRequest, webhookDelivery, webhookDeliveryStream } from '../domain/webhookDelivery.ts';
import { batchEnvelope, webhookEnvelope, webhookTypeOf } from '../domain/webhookEvents.ts';
import { causedBy, type Recorded, reveal } from '../kernel/event.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { Handle } from './handle.ts';
import { load, NEW_STREAM } from './load.ts';

/**
 * Requests the webhook that an event causes, if it causes one and its session has an address. The event names
 * the delivery's stream, so that a repeated request has no effect (webhooks-33). A redacted submission's is
 * requested too, and fails: otherwise its job would wait for it for ever.
 */
export const requestDelivery =
  (handle: Handle, log: EventLog) =>
  async (event: Recorded<SubmissionEvent | BatchEvent>): Promise<void> => {
    const request = event.type === 'BatchCompleted' ? ofBatch(event) : await ofSubmission(log, event);
    if (request === null) return;
    const command = { type: 'RequestDelivery', ...request } as const;
    const context = { actor: { kind: 'system', id: 'webhooks' }, ...causedBy(event) } as const;
    const stream = webhookDeliveryStream(event.id);
    await handle(webhookDelivery, stream, command, context, { loaded: NEW_STREAM });
  };

const ofSubmission = async (
  log: EventLog,
  event: Recorded<SubmissionEvent>,
): Promise<DeliveryRequest | null> => {
  const eventType = webhookTypeOf(event);
  if (eventType === null) return null;
  const { submissionId } = event.data;
  const state = await load(log, submission, submissionStream(submissionId), event.revision);
  if (!state || state.webhookUrl === null) return null;
  return {
    facts: { ...state.routing, eventId: event.id, eventType, occurredAt: event.metadata.at },
    url: state.webhookUrl,
    body: JSON.stringify(webhookEnvelope(event, eventType, state)),
  };
};

/** To the address, and under the key, of the session that the event names (batches-12). */
const ofBatch = (event: Recorded<BatchEvent>): DeliveryRequest | null => {
  const { companyId, mode, keyId, batchId, completedAt } = event.data;
  const url = event.data.notifies ? reveal(event.data.private, 'webhookUrl') : null;
  if (url === null) return null;
  const routing = { submissionId: null, workflow: null, companyId, mode, keyId, batchId };
  return {
    facts: { ...routing, eventId: event.id, eventType: 'batch.completed', occurredAt: completedAt },
    url,
    body: JSON.stringify(batchEnvelope(event)),
  };
};
