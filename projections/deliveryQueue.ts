import { deliveryIdOf, type WebhookDeliveryEvent } from '../domain/webhookDeliveryEvents.ts';
import { deliveryLane } from '../domain/webhookUrl.ts';
import { type EventOf, type Recorded, reveal } from '../kernel/event.ts';
import { laneOf } from '../kernel/lane.ts';
import { type DueItem, earliestDue, type Projection, remove } from './engine/projection.ts';

/** A webhook that waits for its next attempt: due work for the workers. */
export type DeliveryItem = Omit<DueItem, 'cause'> & Readonly<{ attempt: number }>;

/** Pending deliveries. A lane has one company, mode and origin: a slow receiver delays no other. */
export const deliveryQueue: Projection<DeliveryItem, WebhookDeliveryEvent> = {
  name: 'deliveryQueue',
  version: 1,
  prefixes: ['webhookDelivery-'],
  indexes: [earliestDue],
  keys: ({ data }) => [deliveryIdOf(data)],
  on: {
    WebhookRequested: (_item, event) => dueNow(event, 1),
    WebhookAttempted: (item, event) => {
      const { attempt, nextAttemptAt: dueAt } = event.data;
      return item && dueAt !== null ? { ...item, dueAt, attempt: attempt + 1 } : item;
    },
    WebhookDelivered: remove,
    WebhookFailed: remove,
    WebhookRedacted: remove,
    WebhookRedeliveryRequested: (_item, event) => dueNow(event, event.data.attempts + 1),
  },
};

const dueNow = (
  event: Recorded<EventOf<WebhookDeliveryEvent, 'WebhookRequested' | 'WebhookRedeliveryRequested'>>,
  attempt: number,
): DeliveryItem => {
  const id = deliveryIdOf(event.data);
  const { companyId, mode } = event.data;
  const url = reveal(event.data.private, 'url');
  // A redacted address is no URL: the work is still due, and ends as a failed delivery.
  const lane = URL.canParse(url) ? deliveryLane(companyId, mode, url) : laneOf(companyId, mode);
  return { id, lane, dueAt: event.metadata.at, attempt };
};
