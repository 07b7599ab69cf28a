import type { Checked } from '../domain/evaluation/checked.ts';
import type { RequestLine } from '../http/engine/observer.ts';
import type { Event } from '../kernel/event.ts';
import type { ReadingStep } from '../processing/engine/stopwatch.ts';

/** The steps of processing: fetching the files, what the child process does with them, the fraud checks. */
type ProcessingStep = 'fetch' | ReadingStep | 'elsewhere' | 'fraud';

/** Records what happens in this process, for its metrics. Times in milliseconds. No member throws. */
export type Recorder = Readonly<{
  answered(line: RequestLine): void;
  /** Events that are stored, and how long the append took. */
  appended(events: readonly Event[], durationMs: number): void;
  /** An append at a revision that another writer had already used. */
  conflicted(): void;
  /** A submission's files have been read, whatever the outcome. */
  examined(durationMs: number): void;
  stepTaken(step: ProcessingStep, durationMs: number): void;
  pagesRead(count: number): void;
  /**
   * Pairs of pages that were not compared for near duplicates: that would have cost more than a check may.
   */
  pairsSkipped(count: number): void;
  /** How many submissions this process processes now, and at most. */
  processing(running: number, slots: number): void;
  /** A first attempt of a webhook went out before the read models showed its event. */
  unseen(): void;
  /** A live read model has folded so many events that it handles. */
  projected(projection: string, events: number): void;
  /** A lease is held until `until` (milliseconds since 1970), or, with null, no longer. */
  held(lease: string, until: number | null): void;
  /** A person's approval of live data said how the values of a workflow had been read. */
  checked(workflow: string, values: Checked): void;
  /** Uploads of ended sessions were removed from the object store. */
  uploadsRemoved(count: number): void;
  /** The redaction of so many was requested by retention. */
  redactedByRetention(count: number): void;
  /** How much is due by retention after a sweep, and how much more but for a legal hold. */
  retentionDue(counts: Readonly<{ due: number; held: number }>): void;
  clockSet(direction: 'back' | 'forward'): void;
  /** Whether a part of the service was unavailable when it was last probed. */
  unavailable(part: string, isUnavailable: boolean): void;
}>;

const ignore = (): void => undefined;

/** For a process without metrics. */
export const noRecorder: Recorder = {
  answered: ignore,
  appended: ignore,
  conflicted: ignore,
  examined: ignore,
  stepTaken: ignore,
  pagesRead: ignore,
  pairsSkipped: ignore,
  processing: ignore,
  unseen: ignore,
  projected: ignore,
  held: ignore,
  checked: ignore,
  uploadsRemoved: ignore,
  redactedByRetention: ignore,
  retentionDue: ignore,
  clockSet: ignore,
  unavailable: ignore,
};
