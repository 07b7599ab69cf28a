import type { Recorded } from '../kernel/event.ts';
import { decisionsOf } from './derive/decisions.ts';
import { deliveryOf } from './derive/delivery.ts';
import { type Copy, filesOf } from './derive/files.ts';
import { deliveryEvents, submissionEvents } from './derive/known.ts';
import { stateOf } from './derive/state.ts';
import type { DocumentName } from './format.ts';

/** The entry of a delivery's stream in `deliveries.json`; null for no events. */
export const deliveryEntry = (events: readonly Recorded[]): object | null =>
  deliveryOf(deliveryEvents(events));

/**
 * Derives a package's documents from a submission's events, at export and again at verification. `deliveries`
 * are results of `deliveryEntry`, `copies` are by file id. Events of unknown types change nothing.
 */
export const documentsOf = (
  events: readonly Recorded[],
  deliveries: readonly (object | null)[],
  copies: ReadonlyMap<string, Copy>,
): Readonly<Record<DocumentName, unknown>> => {
  const known = submissionEvents(events);
  return {
    'decisions.json': decisionsOf(known),
    'deliveries.json': deliveries.filter((delivery) => delivery !== null),
    'files.json': filesOf(known, copies),
    'state.json': stateOf(known),
  };
};
