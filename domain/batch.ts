import { type Decider, DomainError } from '../kernel/decider.ts';
import type { Open } from '../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import { closed, Mode, nullable, type Of, privatePart, Type, text, time, whole } from '../kernel/schema.ts';
import type { StatusChange } from './submission/routing.ts';
import type { Status } from './submission/transitions.ts';

/**
 * The stream of a batch: `batch-<batchId>`. Its only event completes the batch. The sessions of
 * the batch never append here: thousands of them would conflict with each other.
 */
export const batchStream = (batchId: string): string => `batch-${batchId}`;

/** The sessions of a batch, without those that left it (batches-2). */
const Counts = closed({
  total: whole('the sessions in the batch'),
  processed: whole('those that were ever processed'),
  review: whole('those in review now'),
  failed: whole('those in failed or capture_quality_blocked now'),
  approved: whole('those in approved or synced now'),
});
export type Counts = Of<typeof Counts>;

const events = {
  BatchCompleted: {
    about:
      'Every session of the batch has been processed, or all have left it, and the newest of them is as old as the grace period.',
    data: closed({
      batchId: text('an HMAC of company, mode and batchRef'),
      companyId: Type.String(),
      mode: Mode,
      submissionId: text(
        'the newest session in the batch that has a webhookUrl, else the newest one; of those that left it where all did',
      ),
      keyId: text('the key that opened that session'),
      notifies: Type.Boolean({ description: 'whether that session has a webhookUrl' }),
      counts: Counts,
      createdAt: time('when its first session was opened'),
      completedAt: time('when it was found complete'),
      private: privatePart({
        batchRef: text('the client’s name for it'),
        webhookUrl: nullable(text('where its webhook goes')),
      }),
    }),
  },
} as const satisfies EventDefinitions;

export type BatchEvent = EventsOf<typeof events>;

/**
 * `newestAt`: when the newest session in the batch was created, or left it last; `graceMs`: how long
 * before `completedAt` that must be.
 */
export type CompleteBatch = Readonly<{ type: 'CompleteBatch'; newestAt: string; graceMs: number }> &
  Omit<Batch, 'private'> &
  Readonly<{ private: Open<Batch['private']> }>;

/** No session yet. */
export const NO_SESSIONS: Counts = { total: 0, processed: 0, review: 0, failed: 0, approved: 0 };

/** Whether a session leaves its batch: it was cancelled or expired before it was processed (batches-5). */
export const leavesBatch = ({ to, processed }: StatusChange): boolean => to === 'cancelled' && !processed;

/** The counts after a session's change of status (batches-3, batches-4). */
export const countsAfter = (counts: Counts, change: StatusChange): Counts => {
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

/** Whether every session of the batch has been processed; also when all have left it. */
export const allProcessed = ({ total, processed }: Counts): boolean => processed === total;

/** Whether a batch is complete: all are processed, and `newestAt` is as long ago as the grace. */
export const isComplete = (
  batch: Pick<CompleteBatch, 'counts' | 'newestAt' | 'graceMs' | 'completedAt'>,
): boolean =>
  allProcessed(batch.counts) && Date.parse(batch.completedAt) - Date.parse(batch.newestAt) >= batch.graceMs;

type Batch = BatchEvent['data'];

const evolve = (_state: Batch | null, event: BatchEvent): Batch | null => event.data;

const decide = (command: CompleteBatch, state: Batch | null): readonly BatchEvent[] => {
  if (state) return [];
  if (!isComplete(command)) throw new DomainError('BatchNotComplete', 'The batch is not complete yet.');
  const { type: _, newestAt: _n, graceMs: _g, ...data } = command;
  return [{ type: 'BatchCompleted', data }];
};

/** A batch's completion: once and for ever. Completing it again is no fault and changes nothing. */
export const batch: Decider<Batch | null, CompleteBatch, BatchEvent> = {
  category: 'batch-',
  events,
  initial: null,
  evolve,
  decide,
  subject: (event) => event.data.batchId,
};
