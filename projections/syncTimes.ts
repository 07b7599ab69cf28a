import type { SubmissionEvent } from '../domain/submission/state.ts';
import type { SyncEvent } from '../domain/submission/sync.ts';
import type { EventOf } from '../kernel/event.ts';
import { type Fold, foldAlike } from './engine/projection.ts';
import { foldsOf, outsideReview, type StatusEvent } from './statusFolds.ts';

/** When approved data were last sent to their target, are due to be sent, and arrived (ISO 8601). */
export type SyncTimes = Readonly<{
  lastAttemptAt: string | null;
  nextAttemptAt: string | null;
  syncedAt: string | null;
}>;

const NEVER: SyncTimes = { lastAttemptAt: null, nextAttemptAt: null, syncedAt: null };

const approved: Fold<SyncTimes, EventOf<SubmissionEvent, 'SubmissionProcessed' | 'SubmissionApproved'>> = (
  _before,
  { data, metadata },
) => (data.syncTo === undefined ? null : { ...NEVER, nextAttemptAt: metadata.at });

/** The times after one more event; null while nothing is to be sent. */
export const syncTimes = foldsOf<SyncTimes, StatusEvent | SyncEvent>({
  ...outsideReview,
  ...foldAlike(['SubmissionOpenedForEntry', 'SubmissionRejected', 'SubmissionCancelled'], null),
  SubmissionProcessed: approved,
  SubmissionApproved: approved,
  SubmissionSyncRequested: (before, { metadata }) => ({ ...NEVER, ...before, nextAttemptAt: metadata.at }),
  SubmissionSyncFailed: (_before, { data, metadata }) => ({
    ...NEVER,
    lastAttemptAt: metadata.at,
    nextAttemptAt: data.nextAttemptAt,
  }),
  SubmissionSynced: (before, { metadata: { at } }) =>
    before && { lastAttemptAt: at, nextAttemptAt: null, syncedAt: at },
});
