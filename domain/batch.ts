import { type Decider, DomainError, never } from '../kernel/decider.ts';
import type { Event } from '../kernel/event.ts';
import type { Mode } from '../kernel/scope.ts';
import type { Move, Private } from './submission/events.ts';
import type { Status } from './submission/transitions.ts';

/**
 * The stream of a batch: `batch-<batchId>`. Its first and only event says that the batch is complete. What the batch holds is told by the
 * events of its sessions, which never append here: thousands of them would wait for each other.
 */
export const batchStream = (batchId: string): string => `batch-${batchId}`;

/** How many sessions are in the set, have ever been processed, and are now in review, failed or approved (batches-2). */
export type Counts = Readonly<{
  total: number;
  processed: number;
  review: number;
  failed: number;
  approved: number;
}>;

/**
 * `submissionId` and `keyId` are those of the newest session in the set that has a webhookUrl (`notifies`),
 * else of the newest one; of those that have left where all have. `counts` are those of the moment of
 * completion; times in ISO 8601.
 */
type Facts = Readonly<{
  batchId: string;
  companyId: string;
  mode: Mode;
  submissionId: string;
  keyId: string;
  notifies: boolean;
  counts: Counts;
  createdAt: string;
  completedAt: string;
}>;
/** What names people or places: sealed under the batch. */
type Part = Readonly<{ batchRef: string; webhookUrl: string | null }>;

export type BatchCompleted = Event<'BatchCompleted', Facts & { private: Private<Part> }>;
export type BatchEvent = BatchCompleted;

/**
 * `newestAt`: when the newest session in the set was created, or the last one left it; `graceMs`: how long
 * before `completedAt` that must be.
 */
export type CompleteBatch = Readonly<{ type: 'CompleteBatch'; newestAt: string; graceMs: number }> &
  Facts &
  Readonly<{ private: Part }>;

/** No session yet. */
export const NO_SESSIONS: Counts = { total: 0, processed: 0, review: 0, failed: 0, approved: 0 };

/** Whether a change takes a session out of its batch: it was cancelled or has expired before it was processed (batches-5). */
export const leavesBatch = ({ to, processed }: Move): boolean => to === 'cancelled' && !processed;

/** The counts after a session's change of status (batches-3, batches-4). */
export const countsAfter = (counts: Counts, change: Move): Counts => {
  const { from, to, firstProcessed } = change;
  const moved = (...statuses: readonly Status[]): number =>
    Number(statuses.includes(to)) - Number(from !== null && statuses.includes(from));
  return {
    total: counts.total + Number(from === null) - Number(leavesBatch(change)),
    processed: counts.processed + Number(firstProcessed),
    review: counts.review + moved('review'),
    failed: counts.failed + moved('failed', 'capture_quality_blocked'),
    approved: counts.approved + moved('approved', 'synced'),
  };
};

/** Whether every session of the set has been processed, as in a set that all have left. */
export const allProcessed = ({ total, processed }: Counts): boolean => processed === total;

/** Whether a batch is complete: all are processed, and `newestAt` is as long ago as the grace. */
export const isComplete = (
  batch: Pick<CompleteBatch, 'counts' | 'newestAt' | 'graceMs' | 'completedAt'>,
): boolean =>
  allProcessed(batch.counts) && Date.parse(batch.completedAt) - Date.parse(batch.newestAt) >= batch.graceMs;

type Batch = BatchCompleted['data'];

const evolve = (_state: Batch | null, event: BatchEvent): Batch | null => event.data;

const decide = (command: CompleteBatch, state: Batch | null): readonly BatchEvent[] => {
  const { type, newestAt: _n, graceMs: _g, ...data } = command;
  switch (type) {
    case 'CompleteBatch':
      if (state) return [];
      if (!isComplete(command)) throw new DomainError('BatchNotComplete', 'The batch is not complete yet.');
      return [{ type: 'BatchCompleted', data }];
    default:
      return never(type);
  }
};

/** A batch's completion: once and for ever. Completing it again is no fault and changes nothing. */
export const batch: Decider<Batch | null, CompleteBatch, BatchEvent> = {
  category: 'batch-',
  initial: null,
  evolve,
  decide,
  subject: (event) => event.data.batchId,
};
