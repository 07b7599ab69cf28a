import type { RequestLine } from '../http/engine/observer.ts';
import type { Event } from '../kernel/event.ts';
import type { ReadingStep } from '../processing/stopwatch.ts';

/** The steps of processing: bringing the files here, what the child process does with them, the fraud checks. */
export type ProcessingStep = 'fetch' | ReadingStep | 'elsewhere' | 'fraud';

/** What happens in this process, told as it happens; `telemetry/metrics.ts` counts it. Times in milliseconds. None may throw. */
export type Measures = Readonly<{
  answered(line: RequestLine): void;
  /** Events that are stored, and what appending them took. */
  appended(events: readonly Event[], durationMs: number): void;
  /** An append that another writer was quicker than. */
  conflicted(): void;
  /** A submission's files have been looked at, whatever came of it. */
  examined(durationMs: number): void;
  /** So long went into a step of processing a submission. */
  stepTaken(step: ProcessingStep, durationMs: number): void;
  /** So many pages of a submission were read. */
  pagesRead(count: number): void;
  /** So many pairs of pages were not compared for near duplicates: that would have cost more than a check may. */
  pairsLeft(count: number): void;
  /** So many submissions are processed by this process now, of so many at once at the most. */
  processing(running: number, most: number): void;
  /** A first attempt of a webhook went out before the read models showed its event. */
  unseen(): void;
  /** A live read model has taken in so many events that it handles. */
  projected(projection: string, events: number): void;
  /** A lease is held until `until` (milliseconds since 1970), or, with null, no longer. */
  held(lease: string, until: number | null): void;
  /** So many uploads of sessions that are over were removed from the object store. */
  uploadsRemoved(count: number): void;
  /** The machine's clock was set. */
  clockSet(direction: 'back' | 'forward'): void;
  /** Whether a part of the service was away when it was looked at last. */
  away(part: string, isAway: boolean): void;
}>;

const nothing = (): void => undefined;

/** For a process whose figures nobody reads. */
export const unmeasured: Measures = {
  answered: nothing,
  appended: nothing,
  conflicted: nothing,
  examined: nothing,
  stepTaken: nothing,
  pagesRead: nothing,
  pairsLeft: nothing,
  processing: nothing,
  unseen: nothing,
  projected: nothing,
  held: nothing,
  uploadsRemoved: nothing,
  clockSet: nothing,
  away: nothing,
};
