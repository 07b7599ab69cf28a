import { reveal } from '../domain/submission/private.ts';
import type {
  WebhookDeliveryEvent,
  WebhookRedeliveryRequested,
  WebhookRequested,
} from '../domain/webhookDelivery.ts';
import { deliveryLane } from '../domain/webhookUrl.ts';
import { causedBy, type Recorded } from '../kernel/event.ts';
import { type DueItem, earliestDue, type Projection } from './engine/projection.ts';

/** A webhook that waits for its next attempt: due work for the workers. */
export type DeliveryItem = DueItem & Readonly<{ attempt: number }>;

/** Deliveries under way: a lane a company, mode and origin, so that a receiver that hangs delays nobody else. */
export const deliveryQueue: Projection<DeliveryItem, WebhookDeliveryEvent> = {
  name: 'deliveryQueue',
  version: 1,
  prefixes: ['webhookDelivery-'],
  handles: [
    'WebhookRequested',
    'WebhookAttempted',
    'WebhookDelivered',
    'WebhookFailed',
    'WebhookRedeliveryRequested',
  ],
  indexes: [earliestDue],
  keys: ({ data }) => [data.eventId],
  evolve: (item, event) => {
    switch (event.type) {
      case 'WebhookRequested':
        return dueNow(event, 1);
      case 'WebhookRedeliveryRequested':
        return dueNow(event, event.data.attempts + 1);
      case 'WebhookAttempted':
        return item && event.data.nextAttemptAt !== null
          ? {
              ...item,
              dueAt: event.data.nextAttemptAt,
              attempt: event.data.attempt + 1,
              cause: causedBy(event),
            }
          : item;
      default:
        return null;
    }
  },
};

const dueNow = (
  event: Recorded<WebhookRequested | WebhookRedeliveryRequested>,
  attempt: number,
): DeliveryItem => {
  const { eventId: id, companyId, mode } = event.data;
  const url = reveal(event.data.private, 'url');
  // Without its key the address is gone: the work is still due, and ends as a failed delivery.
  const lane = URL.canParse(url) ? deliveryLane(companyId, mode, url) : `${companyId} ${mode}`;
  return { id, lane, dueAt: event.metadata.at, attempt, cause: causedBy(event) };
};
