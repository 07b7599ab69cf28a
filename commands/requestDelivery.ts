import { causedBy, type Recorded } from '../domain/kernel.ts';
import type { SubmissionEvent } from '../domain/submission/events.ts';
import { submission, submissionStream } from '../domain/submission.ts';
import { webhookDelivery, webhookDeliveryStream } from '../domain/webhookDelivery.ts';
import { webhookEnvelope, webhookTypeOf } from '../domain/webhookEvents.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { Handle } from './handle.ts';
import { load } from './load.ts';

/**
 * Asks for the webhook that an event causes, if it causes one and its session has an address. The delivery's stream is
 * named by the event, so that asking again asks for nothing more (decisions, section 1). That of a redacted submission is asked
 * for too, and fails: its job would wait for it for ever.
 */
export const requestDelivery =
  (handle: Handle, log: EventLog) =>
  async (event: Recorded<SubmissionEvent>): Promise<void> => {
    const eventType = webhookTypeOf(event);
    if (eventType === null) return;
    const { submissionId } = event.data;
    const state = await load(log, submission, submissionStream(submissionId), event.revision);
    if (!state || state.webhookUrl === null) return;
    const command = {
      type: 'RequestDelivery',
      facts: { ...state.routing, eventId: event.id, eventType, occurredAt: event.metadata.at },
      url: state.webhookUrl,
      body: JSON.stringify(webhookEnvelope(event, eventType, state)),
    } as const;
    await handle(webhookDelivery, webhookDeliveryStream(event.id), command, {
      actor: { kind: 'system', id: 'webhooks' },
      ...causedBy(event),
    });
  };
