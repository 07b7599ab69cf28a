import type { SubmissionEvent } from '../domain/submission/state.ts';
import type { SyncEvent } from '../domain/submission/sync.ts';
import { deliveryLane } from '../domain/webhookUrl.ts';
import { causedBy, type EventOf, type Recorded } from '../kernel/event.ts';
import {
  type DueItem,
  earliestDue,
  type Fold,
  foldAlike,
  remove,
  type SelectiveProjection,
} from './engine/projection.ts';
import { foldsOf, outsideReview, type StatusEvent } from './statusFolds.ts';

/** Approved data that wait to be sent to their workflow's target: due work for the workers. */
export type SyncItem = DueItem & Readonly<{ attempt: number }>;

const approved: Fold<SyncItem, EventOf<SubmissionEvent, 'SubmissionProcessed' | 'SubmissionApproved'>> = (
  _item,
  event,
) => (event.data.syncTo === undefined ? null : dueNow(event, event.data.syncTo, 1));

/** Pending syncs. A lane has one company, mode and origin: a slow target delays no other. */
export const syncQueue: SelectiveProjection<SyncItem, SubmissionEvent> = {
  name: 'syncQueue',
  version: 1,
  prefixes: ['submission-'],
  indexes: [earliestDue],
  // Most submissions are approved without a sync target.
  keys: ({ type, data }) =>
    (type === 'SubmissionProcessed' || type === 'SubmissionApproved') && data.syncTo === undefined
      ? []
      : [data.submissionId],
  on: foldsOf<SyncItem, StatusEvent | SyncEvent>({
    SubmissionProcessed: approved,
    SubmissionApproved: approved,
    SubmissionSyncRequested: (_item, event) => dueNow(event, event.data.syncTo, event.data.attempts + 1),
    SubmissionSyncFailed: (item, event) => {
      const { attempt, nextAttemptAt: dueAt } = event.data;
      return item && dueAt !== null ? { ...item, dueAt, attempt: attempt + 1, cause: causedBy(event) } : null;
    },
    SubmissionRedactionRequested: remove,
    ...outsideReview,
    SubmissionSynced: remove,
    ...foldAlike(['SubmissionOpenedForEntry', 'SubmissionRejected', 'SubmissionCancelled'], null),
  }),
};

const dueNow = (event: Recorded<SubmissionEvent>, syncTo: string, attempt: number): SyncItem => {
  const { submissionId: id, companyId, mode } = event.data;
  return {
    id,
    lane: deliveryLane(companyId, mode, syncTo),
    dueAt: event.metadata.at,
    attempt,
    cause: causedBy(event),
  };
};
