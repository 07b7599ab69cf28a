import type { SubmissionEvent } from '../domain/submission/events.ts';
import type { Recorded } from '../kernel/event.ts';

/** When approved data were last sent to their target, are due to be sent, and arrived (ISO 8601). */
export type SyncTimes = Readonly<{
  lastAttemptAt: string | null;
  nextAttemptAt: string | null;
  syncedAt: string | null;
}>;

const NEVER: SyncTimes = { lastAttemptAt: null, nextAttemptAt: null, syncedAt: null };

/** The times after one more event of a submission; null while nothing is to be sent. */
export const syncTimesAfter = (
  event: Recorded<SubmissionEvent>,
  before: SyncTimes | null,
): SyncTimes | null => {
  const { at } = event.metadata;
  switch (event.type) {
    case 'SubmissionProcessed':
    case 'SubmissionApproved':
      return event.data.syncTo === undefined ? null : { ...NEVER, nextAttemptAt: at };
    case 'SubmissionSyncRequested':
      return { ...NEVER, ...before, nextAttemptAt: at };
    case 'SubmissionSyncFailed':
      return { ...NEVER, lastAttemptAt: at, nextAttemptAt: event.data.nextAttemptAt };
    case 'SubmissionSynced':
      return before && { lastAttemptAt: at, nextAttemptAt: null, syncedAt: at };
    default:
      return before;
  }
};
