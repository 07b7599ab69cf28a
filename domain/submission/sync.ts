import type { Decisions, Folds } from '../../kernel/byType.ts';
import { DomainError } from '../../kernel/decider.ts';
import type { EventOf } from '../../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../../kernel/eventDefinition.ts';
import { closed, nullable, type OfMembers, Type, text, time, whole } from '../../kernel/schema.ts';
import type { Attempt } from '../webhookDeliveryEvents.ts';
import type { WorkflowVersion } from '../workflow.ts';
import { move } from './guard.ts';
import { routing, transition } from './routing.ts';
import type { Submission, SubmissionEvent } from './state.ts';

const TARGET = 'the origin of the sync target of its workflow version';

/** Where the approved data of a submission are sent. */
export const syncTarget = {
  syncTo: Type.Optional(text(`${TARGET}; absent where the data are not sent`)),
};
export type SyncTarget = OfMembers<typeof syncTarget>;

/** The events of the sync that follows an approval. */
export const syncEvents = {
  SubmissionSynced: {
    about: 'Its approved data have reached the sync target of its workflow version.',
    data: closed(transition),
  },
  SubmissionSyncFailed: {
    about: 'An attempt to send its approved data to the sync target failed.',
    data: closed({
      ...routing,
      attempt: whole('the attempt, from 1, counted over all'),
      statusCode: nullable(whole('the status of the target’s answer; null when no answer came')),
      durationMs: whole('how long the attempt took, in milliseconds'),
      error: text('what was wrong, without any address'),
      nextAttemptAt: nullable(time('when the next attempt is due; null when it was given up')),
    }),
  },
  SubmissionSyncRequested: {
    about: 'An operator requested that the same data be sent again, with a new run of the retry schedule.',
    data: closed({ ...routing, syncTo: text(TARGET), attempts: whole('how many attempts were made before') }),
  },
} as const satisfies EventDefinitions;

export type SyncEvent = EventsOf<typeof syncEvents>;
export type SubmissionSyncFailed = EventOf<SyncEvent, 'SubmissionSyncFailed'>;

/** `attempts` counts all, `earlierAttempts` those before the present run of the retry schedule. */
type Sync = Readonly<{
  status: 'pending' | 'retrying' | 'failed' | 'synced';
  attempts: number;
  earlierAttempts: number;
  lastError: string | null;
}>;

/** A submission's part of the sync; null where the data are not sent to a sync target, or not yet. */
export type SyncState = Readonly<{ sync: Sync | null }>;

/** Before the data are sent on. */
export const notSynced: SyncState = { sync: null };

/** `nextAttemptAt` is null when it is given up. */
type RecordSyncFailure = Readonly<{
  attempt: number;
  outcome: Attempt & Readonly<{ error: string }>;
  nextAttemptAt: string | null;
}>;

/** Where a version's approved data go. */
export const syncTargetOf = ({ processing: { sync } }: Pick<WorkflowVersion, 'processing'>): SyncTarget =>
  sync === null ? {} : { syncTo: new URL(sync.url).origin };

/**
 * Where the data of a submission are sent once it is approved. The one place that decides which data may
 * leave: none whose outcome is forced (test mode).
 */
export const pendingTarget = ({ syncTo }: SyncTarget, { forced }: Submission): SyncTarget =>
  syncTo === undefined || forced?.outcome ? {} : { syncTo };

/** The sync right after an approval; null where the data are not sent. */
export const pendingSync = ({ syncTo }: SyncTarget): Sync | null =>
  syncTo === undefined ? null : { status: 'pending', attempts: 0, earlierAttempts: 0, lastError: null };

/** The folds of the sync that follows an approval. */
export const syncFolds: Folds<Submission, SyncEvent> = {
  SubmissionSyncFailed: (state, { attempt: attempts, nextAttemptAt, error: lastError }) => {
    const status = nextAttemptAt === null ? 'failed' : 'retrying';
    return { ...state, sync: state.sync && { ...state.sync, status, attempts, lastError } };
  },
  SubmissionSyncRequested: (state, { attempts }) => {
    const { lastError } = state.sync ?? { lastError: null };
    return { ...state, sync: { status: 'pending', attempts, earlierAttempts: attempts, lastError } };
  },
  SubmissionSynced: (state) => {
    const attempts = (state.sync?.attempts ?? 0) + 1;
    const sync = state.sync && ({ ...state.sync, status: 'synced', attempts, lastError: null } as const);
    return { ...state, status: 'synced', sync };
  },
};

/** The data have reached the sync target. Nothing when they had. Throws `SubmissionNotApproved`. */
export const recordSync = (_command: object, state: Submission): readonly SyncEvent[] => {
  if (state.status === 'synced') return [];
  const data = { ...state.routing, ...move(state, 'synced', 'SubmissionNotApproved') };
  return [{ type: 'SubmissionSynced', data }];
};

/** Whether another attempt is to come. */
export const underWay = ({ sync }: Pick<Submission, 'sync'>): boolean =>
  sync?.status === 'pending' || sync?.status === 'retrying';

/** The decisions on the sync of approved data. */
export const syncDecisions = {
  RecordSync: recordSync,
  /** An attempt to sync failed. Nothing when it is recorded already, or the sync has ended. */
  RecordSyncFailure: ({ attempt, outcome, nextAttemptAt }: RecordSyncFailure, state) => {
    if (!underWay(state) || attempt !== (state.sync?.attempts ?? 0) + 1) return [];
    return [{ type: 'SubmissionSyncFailed', data: { ...state.routing, attempt, ...outcome, nextAttemptAt } }];
  },
  /**
   * An operator's request to send an approved submission whose sync was given up, waits for its next attempt,
   * or was never pending. Nothing when it is due already. Throws `SubmissionNotApproved`,
   * `SubmissionHasNoSync`.
   */
  RequestSync: (target: SyncTarget, state) => {
    move(state, 'synced', 'SubmissionNotApproved');
    if (state.sync?.status === 'pending') return [];
    const { syncTo } = pendingTarget(target, state);
    if (syncTo === undefined)
      throw new DomainError('SubmissionHasNoSync', 'The data of this submission go nowhere.');
    const attempts = state.sync?.attempts ?? 0;
    return [{ type: 'SubmissionSyncRequested', data: { ...state.routing, syncTo, attempts } }];
  },
} satisfies Decisions<Submission, SubmissionEvent>;
