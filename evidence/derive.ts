import type { Recorded } from '../kernel/event.ts';
import { decisionsOf } from './derive/decisions.ts';
import { deliveryOf } from './derive/delivery.ts';
import { type Copy, filesOf } from './derive/files.ts';
import { deliveryEvents, submissionEvents } from './derive/known.ts';
import { stateOf } from './derive/state.ts';
import type { DocumentName } from './format.ts';

/** What a delivery's stream makes of it: an entry of `deliveries.json`. */
export const deliveryEntry = (events: readonly Recorded[]): object | null =>
  deliveryOf(deliveryEvents(events));

/**
 * The documents that a submission's events make; the verifier makes them again. `deliveries` are entries of `deliveryEntry`, `copies` the
 * submitted files by their id. Events of unknown types change none of them.
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
