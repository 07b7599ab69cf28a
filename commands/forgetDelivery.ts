import { endsDelivery, webhookDeliveryStream } from '../domain/webhookDelivery.ts';
import type { EventLog } from '../stores/events/log.ts';

/**
 * Truncates a delivery to its last event, which has the outcome and all routing facts, if it ended before a
 * time (ISO 8601) and was not sent again since (deliveries-5).
 */
export const forgetDelivery =
  (log: Pick<EventLog, 'load' | 'truncate'>) =>
  async (eventId: string, before: string): Promise<void> => {
    const stream = webhookDeliveryStream(eventId);
    const { events } = await log.load(stream);
    const last = events.at(-1);
    if (!last || !endsDelivery(last.type) || last.metadata.at >= before) return;
    await log.truncate(stream, last.revision);
  };
