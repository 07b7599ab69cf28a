import { redactionSubject } from '../domain/streamNames.ts';
import { webhookDelivery, webhookDeliveryStream } from '../domain/webhookDelivery.ts';
import { endsDelivery, type WebhookDeliveryEvent } from '../domain/webhookDeliveryEvents.ts';
import { causedBy, type Recorded } from '../kernel/event.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { Handle } from './handle.ts';
import { type Progress, untilShown } from './untilShown.ts';

type Ports = Readonly<{
  log: Pick<EventLog, 'load' | 'truncate'>;
  handle: Handle;
  progress: Progress;
  destroyKey(subject: string, eventId: string): Promise<void>;
  compact?: (() => Promise<void>) | undefined;
}>;

const ACTOR = { kind: 'system', id: 'retention' } as const;

/**
 * Truncates a delivery to its last event, which has the outcome and all routing facts, if it ended before a
 * time (ISO 8601) and was not sent again since (deliveries-5). Where it told of a redaction, its address goes
 * too, from the read models and with its key (redaction-8). Throws `StoreUnavailable`.
 */
export const forgetDelivery =
  (ports: Ports) =>
  async (eventId: string, before: string): Promise<void> => {
    const stream = webhookDeliveryStream(eventId);
    const last = (await ports.log.load(stream)).events.at(-1);
    if (!last || !endsDelivery(last.type)) return;
    // A call that was cut short has redacted it just now.
    if (last.type !== 'WebhookRedacted' && last.metadata.at >= before) return;
    const { eventType, submissionId, endpointId } = (last as WebhookDeliveryEvent).data;
    const isLast = eventType === 'submission.redacted' && submissionId !== null && endpointId === undefined;
    const revision = isLast ? await removeAddress(ports, last, submissionId) : last.revision;
    await ports.log.truncate(stream, revision);
  };

/** Gives the revision of the delivery's last event. */
const removeAddress = async (
  { handle, progress, destroyKey, compact }: Ports,
  last: Recorded,
  submissionId: string,
): Promise<number> => {
  const context = { actor: ACTOR, ...causedBy(last) };
  const { stream } = last;
  const { position, revision } = await handle(webhookDelivery, stream, { type: 'RedactDelivery' }, context);
  const waits = 'an address waits to be removed until the read models have caught up';
  await untilShown(progress, position, waits);
  await destroyKey(redactionSubject(submissionId), last.id);
  await compact?.();
  return revision;
};
