import type { SubmissionEvent } from '../../domain/submission/events.ts';
import type { WebhookDeliveryEvent } from '../../domain/webhookDelivery.ts';
import type { Event, Recorded } from '../../kernel/event.ts';
import type { StreamEntry } from '../../schemas/events/event.ts';
import { submissionEvents as ofSubmission } from '../../schemas/events/submission.ts';
import { webhookDeliveryEvents as ofDelivery } from '../../schemas/events/webhookDelivery.ts';
import { eventCatalogue } from '../../schemas/events.ts';

/** A submission's events as this release reads them: brought to their current version, without those that it does not know. */
export const submissionEvents = (events: readonly Recorded[]): readonly Recorded<SubmissionEvent>[] =>
  known(ofSubmission, events);

/** Likewise those of a delivery. */
export const deliveryEvents = (events: readonly Recorded[]): readonly Recorded<WebhookDeliveryEvent>[] =>
  known(ofDelivery, events);

/** Whether this release can make something of an event. */
export const isKnown = ({ type, metadata }: Recorded): boolean => eventCatalogue.knows(type, metadata.schema);

const known = <E extends Event>({ events: own }: StreamEntry, events: readonly Recorded[]) =>
  events
    .filter((event) => Object.hasOwn(own, event.type) && isKnown(event))
    .map((event) => ({
      ...event,
      data: eventCatalogue.upcast(event),
    })) as readonly Recorded[] as readonly Recorded<E>[];
