import { DomainError, never } from '../../kernel/decider.ts';
import { REDACTED } from '../../kernel/event.ts';
import type { Attempt } from '../webhookDelivery.ts';
import type { WorkflowVersion } from '../workflow.ts';
import type { SubmissionSynced, SubmissionSyncFailed, SubmissionSyncRequested, SyncEvent } from './events.ts';
import { move, present } from './guard.ts';
import type { Submission } from './state.ts';

/** The origin of the sync target of the version that a submission was opened with; without it there is none. */
export type SyncTarget = Readonly<{ syncTo?: string }>;

/** `attempts` counts all that were ever made, `earlierAttempts` those before the present run of the retry schedule. */
export type Sync = Readonly<{
  status: 'pending' | 'retrying' | 'failed' | 'synced';
  attempts: number;
  earlierAttempts: number;
  lastError: string | null;
}>;

export type RecordSync = Readonly<{ type: 'RecordSync' }>;
/** `nextAttemptAt` is null when it is given up. */
export type RecordSyncFailure = Readonly<{
  type: 'RecordSyncFailure';
  attempt: number;
  outcome: Attempt & Readonly<{ error: string }>;
  nextAttemptAt: string | null;
}>;
export type RequestSync = Readonly<{ type: 'RequestSync' }> & SyncTarget;

/** Where a version's approved data go. */
export const syncTargetOf = ({ processing: { sync } }: Pick<WorkflowVersion, 'processing'>): SyncTarget =>
  sync === null ? {} : { syncTo: new URL(sync.url).origin };

/** What an approval owes to the sync target. The one place that says which data may leave: none whose outcome its metadata force (test mode). */
export const owing = ({ syncTo }: SyncTarget, { forced }: Submission): SyncTarget =>
  syncTo === undefined || forced?.outcome ? {} : { syncTo };

/** How the sync stands right after an approval. */
export const owed = ({ syncTo }: SyncTarget): Sync | null =>
  syncTo === undefined ? null : { status: 'pending', attempts: 0, earlierAttempts: 0, lastError: null };

/** The state after one more event of the sync that follows an approval. */
export const evolveSync = (state: Submission, event: SyncEvent): Submission => {
  const { sync } = state;
  switch (event.type) {
    case 'SubmissionSyncFailed':
      return { ...state, sync: sync && failed(sync, event) };
    case 'SubmissionSyncRequested': {
      const { attempts } = event.data;
      const { lastError } = sync ?? { lastError: null };
      return { ...state, sync: { status: 'pending', attempts, earlierAttempts: attempts, lastError } };
    }
    case 'SubmissionSynced':
      return {
        ...state,
        status: 'synced',
        sync: sync && { ...sync, status: 'synced', attempts: sync.attempts + 1, lastError: null },
      };
    default:
      return never(event);
  }
};

const failed = (sync: Sync, { data }: SubmissionSyncFailed): Sync => ({
  ...sync,
  status: data.nextAttemptAt === null ? 'failed' : 'retrying',
  attempts: data.attempt,
  lastError: data.error,
});

/** An approved submission has reached its sync target. Nothing when it had. Throws `SubmissionNotApproved`. */
export const recordSync = (_command: RecordSync, current: Submission | null): readonly SubmissionSynced[] => {
  const state = present(current);
  if (state.status === 'synced') return [];
  const change = move(state, 'synced', 'SubmissionNotApproved');
  return [{ type: 'SubmissionSynced', data: { ...state.routing, ...change } }];
};

/** An attempt to sync has failed. Nothing when it is known, or the submission is no longer on its way. */
export const recordSyncFailure = (
  { attempt, outcome, nextAttemptAt }: RecordSyncFailure,
  current: Submission | null,
): readonly SubmissionSyncFailed[] => {
  const state = present(current);
  if (!underWay(state) || attempt !== (state.sync?.attempts ?? 0) + 1) return [];
  return [{ type: 'SubmissionSyncFailed', data: { ...state.routing, attempt, ...outcome, nextAttemptAt } }];
};

/**
 * An operator wants an approved submission sent that was given up, waits for its next try, or was approved before syncs were made. Nothing
 * when it is due already. Throws `SubmissionNotApproved`, `SubmissionHasNoSync`, `SubmissionRedacted`.
 */
export const requestSync = (
  command: RequestSync,
  current: Submission | null,
): readonly SubmissionSyncRequested[] => {
  const state = present(current);
  move(state, 'synced', 'SubmissionNotApproved');
  if (state.sync?.status === 'pending') return [];
  const { syncTo } = owing(command, state);
  if (syncTo === undefined)
    throw new DomainError('SubmissionHasNoSync', 'The data of this submission go nowhere.');
  if (state.extractedData === REDACTED)
    throw new DomainError('SubmissionRedacted', 'What would be sent is not kept any more.');
  const attempts = state.sync?.attempts ?? 0;
  return [{ type: 'SubmissionSyncRequested', data: { ...state.routing, syncTo, attempts } }];
};

/** Whether another attempt is to come. */
export const underWay = ({ sync }: Pick<Submission, 'sync'>): boolean =>
  sync?.status === 'pending' || sync?.status === 'retrying';
