import type { SubmissionEvent } from '../domain/submission/events.ts';
import { deliveryLane } from '../domain/webhookUrl.ts';
import { causedBy, type Recorded } from '../kernel/event.ts';
import { type DueItem, earliestDue, type Projection } from './engine/projection.ts';

/** Approved data that wait to be sent to their workflow's target: due work for the workers. */
export type SyncItem = DueItem & Readonly<{ attempt: number }>;

/** Approved and not yet synced: a lane a company, mode and origin, so that a target that hangs delays nobody else. */
export const syncQueue: Projection<SyncItem, SubmissionEvent> = {
  name: 'syncQueue',
  version: 1,
  prefixes: ['submission-'],
  handles: [
    'SubmissionProcessed',
    'SubmissionApproved',
    'SubmissionSyncFailed',
    'SubmissionSyncRequested',
    'SubmissionSynced',
  ],
  indexes: [earliestDue],
  keys: (event) => (isOfSync(event) ? [event.data.submissionId] : []),
  evolve: (item, event) => {
    switch (event.type) {
      case 'SubmissionProcessed':
      case 'SubmissionApproved':
        return event.data.syncTo === undefined ? null : dueNow(event, event.data.syncTo, 1);
      case 'SubmissionSyncRequested':
        return dueNow(event, event.data.syncTo, event.data.attempts + 1);
      case 'SubmissionSyncFailed': {
        const { attempt, nextAttemptAt } = event.data;
        if (item === null || nextAttemptAt === null) return null;
        return { ...item, dueAt: nextAttemptAt, attempt: attempt + 1, cause: causedBy(event) };
      }
      default:
        return null;
    }
  },
};

/** Most submissions end without owing anything to a target. */
const isOfSync = ({ type, data }: SubmissionEvent): boolean =>
  type === 'SubmissionProcessed' || type === 'SubmissionApproved' ? data.syncTo !== undefined : true;

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
