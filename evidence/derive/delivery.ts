import type {
  DeliveryStatus,
  Attempt as Outcome,
  WebhookDeliveryEvent,
} from '../../domain/webhookDeliveryEvents.ts';
import type { Recorded } from '../../kernel/event.ts';
import { reveal } from '../../kernel/event.ts';

type Attempt = Readonly<{ at: string; attempt: number }> & Outcome;
type Delivery = Readonly<ReturnType<typeof initial>>;

/**
 * A delivery after its events; null without any. `url` and `requestedAt` are null where these were truncated.
 */
export const deliveryOf = (events: readonly Recorded<WebhookDeliveryEvent>[]): Delivery | null =>
  events.reduce<Delivery | null>((before, event) => evolve(before ?? initial(event), event), null);

const initial = ({ data, revision }: Recorded<WebhookDeliveryEvent>) => ({
  eventId: data.eventId,
  eventType: data.eventType,
  ...(data.endpointId === undefined ? {} : { endpointId: data.endpointId }),
  url: null as string | null,
  requestedAt: null as string | null,
  status: 'pending' as DeliveryStatus,
  attemptsMade: 0,
  attempts: [] as readonly Attempt[],
  redeliveries: [] as readonly string[],
  endedAt: null as string | null,
  /** The first revision in the log; above 0 where earlier events were truncated. */
  firstRevision: revision,
});

const evolve = (delivery: Delivery, event: Recorded<WebhookDeliveryEvent>): Delivery => {
  const { at } = event.metadata;
  switch (event.type) {
    case 'WebhookRequested':
      return { ...delivery, url: reveal(event.data.private, 'url'), requestedAt: at };
    case 'WebhookAttempted': {
      const { attempt, statusCode, durationMs, error } = event.data;
      const attempts = [...delivery.attempts, { at, attempt, statusCode, durationMs, error }];
      return { ...delivery, attemptsMade: attempt, attempts };
    }
    case 'WebhookDelivered':
      return { ...delivery, status: 'delivered', attemptsMade: event.data.attempts, endedAt: at };
    case 'WebhookFailed':
      return { ...delivery, status: 'failed', attemptsMade: event.data.attempts, endedAt: at };
    case 'WebhookRedacted': {
      const { outcome: status, attempts: attemptsMade } = event.data;
      return { ...delivery, status, attemptsMade, endedAt: delivery.endedAt ?? at };
    }
    case 'WebhookRedeliveryRequested':
      return { ...delivery, status: 'pending', redeliveries: [...delivery.redeliveries, at], endedAt: null };
  }
};
