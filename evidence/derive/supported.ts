import type { Submission, SubmissionEvent } from '../../domain/submission/state.ts';
import { submission } from '../../domain/submission/submission.ts';
import { webhookDelivery } from '../../domain/webhookDelivery.ts';
import type { WebhookDeliveryEvent } from '../../domain/webhookDeliveryEvents.ts';
import type { Decider } from '../../kernel/decider.ts';
import type { Event, Recorded } from '../../kernel/event.ts';
import { eventCatalogue } from '../../schemas/events.ts';

/** A submission's events as this release reads them: in their current version, without unknown ones. */
export const submissionEvents = (events: readonly Recorded[]): readonly Recorded<SubmissionEvent>[] =>
  supported(submission, events);

/** A delivery's events, likewise. */
export const deliveryEvents = (events: readonly Recorded[]): readonly Recorded<WebhookDeliveryEvent>[] =>
  supported(webhookDelivery, events);

/** Whether this release can read an event. */
export const isSupported = ({ type, metadata }: Recorded): boolean =>
  eventCatalogue.canRead(type, metadata.schema);

/** The submission's state after these events; null without any. */
export const submissionOf = (events: readonly Recorded<SubmissionEvent>[]): Submission | null =>
  events.reduce(submission.evolve, submission.initial);

const supported = <S, C, E extends Event>({ events: own }: Decider<S, C, E>, events: readonly Recorded[]) =>
  events
    .filter((event) => Object.hasOwn(own, event.type) && isSupported(event))
    .map((event) => ({
      ...event,
      data: eventCatalogue.upcast(event),
    })) as readonly Recorded[] as readonly Recorded<E>[];
