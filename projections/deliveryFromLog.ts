import { webhookDeliveryStream } from '../domain/webhookDelivery.ts';
import type { Heard, WebhookDeliveryEvent } from '../domain/webhookDeliveryEvents.ts';
import type { Recorded } from '../kernel/event.ts';
import type { EventLog } from '../stores/events/log.ts';

/** What a delivery sends; null once it is not kept. `heardAt`: what was heard, by the time of its attempt. */
export type DeliveryContent = Readonly<{ body: string | null; heardAt: ReadonlyMap<string, Heard> }>;

/** Reads what a delivery sends, and what was heard of it, from its stream (deliveries-9, deliveries-10). */
export const deliveryContent =
  (log: Pick<EventLog, 'load'>) =>
  async (deliveryId: string): Promise<DeliveryContent> => {
    const { events } = await log.load(webhookDeliveryStream(deliveryId));
    let body: string | null = null;
    const heardAt = new Map<string, Heard>();
    for (const { type, data, metadata } of events as readonly Recorded<WebhookDeliveryEvent>[]) {
      if (type === 'WebhookRequested' && !('redacted' in data.private)) body = data.private.body;
      if (type === 'WebhookAttempted' && data.private && !('redacted' in data.private))
        heardAt.set(metadata.at, data.private);
      if (type === 'WebhookRedacted') return { body: null, heardAt: new Map() };
    }
    return { body, heardAt };
  };
