import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { submission } from '../../domain/submission.ts';
import { type WebhookDeliveryEvent, webhookDelivery } from '../../domain/webhookDelivery.ts';
import type { Decider } from '../../kernel/decider.ts';
import type { Event, Recorded } from '../../kernel/event.ts';
import { eventCatalogue } from '../../schemas/events.ts';

/** A submission's events as this release reads them: brought to their current version, without those that it does not know. */
export const submissionEvents = (events: readonly Recorded[]): readonly Recorded<SubmissionEvent>[] =>
  known(submission, events);

/** Likewise those of a delivery. */
export const deliveryEvents = (events: readonly Recorded[]): readonly Recorded<WebhookDeliveryEvent>[] =>
  known(webhookDelivery, events);

/** Whether this release can make something of an event. */
export const isKnown = ({ type, metadata }: Recorded): boolean =>
  eventCatalogue.canRead(type, metadata.schema);

const known = <S, C, E extends Event>({ events: own }: Decider<S, C, E>, events: readonly Recorded[]) =>
  events
    .filter((event) => Object.hasOwn(own, event.type) && isKnown(event))
    .map((event) => ({
      ...event,
      data: eventCatalogue.upcast(event),
    })) as readonly Recorded[] as readonly Recorded<E>[];
