import type { Routing } from '../domain/submission/routing.ts';
import type { SubmissionEvent } from '../domain/submission/state.ts';
import type { Status } from '../domain/submission/transitions.ts';
import { causedBy, type EventOf, type Recorded } from '../kernel/event.ts';
import { laneOf } from '../kernel/lane.ts';
import {
  type DueItem,
  earliestDue,
  foldAlike,
  remove,
  type SelectiveProjection,
} from './engine/projection.ts';
import { statusFolds } from './statusFolds.ts';

/** A submission that waits for processing: due work for the workers. */
export type ProcessingItem = DueItem;

/** The statuses in which nothing is to be processed. */
const STAYING: readonly (Status | null)[] = ['created', 'processing'];

/** The lane that a submission waits in; `readBy` is the origin of its http extractor, if it has one. */
export const processingLane = (
  { companyId, mode }: Pick<Routing, 'companyId' | 'mode'>,
  readBy: string | null = null,
): string => laneOf(companyId, mode, readBy);

/**
 * Submissions to be processed. A lane has one company and mode, and one origin of http extractors, so that
 * neither a large batch nor a slow extractor delays others.
 */
export const processingQueue: SelectiveProjection<ProcessingItem, SubmissionEvent> = {
  name: 'processingQueue',
  version: 2,
  prefixes: ['submission-'],
  indexes: [earliestDue],
  keys: ({ data }) => [data.submissionId],
  on: statusFolds<ProcessingItem>({
    // Forced to stay so by its metadata (test mode): there is nothing to do.
    SessionSubmitted: (_item, event) =>
      STAYING.includes(event.data.forced?.outcome ?? null) ? null : dueNow(event),
    SubmissionReprocessingRequested: (_item, event) => dueNow(event),
    SubmissionProcessingDelayed: (item, event) =>
      item && { ...item, dueAt: event.data.retryAt, cause: causedBy(event) },
    SubmissionProcessed: remove,
    SubmissionProcessingFailed: remove,
    SubmissionCancelled: remove,
    ...foldAlike(
      [
        'SessionCreated',
        'SessionExpired',
        'SubmissionProcessingStarted',
        'SubmissionOpenedForEntry',
        'SubmissionApproved',
        'SubmissionRejected',
        'SubmissionSynced',
      ],
      null,
    ),
  }),
};

const dueNow = (
  event: Recorded<EventOf<SubmissionEvent, 'SessionSubmitted' | 'SubmissionReprocessingRequested'>>,
): ProcessingItem => {
  const { submissionId: id, readBy } = event.data;
  return { id, lane: processingLane(event.data, readBy), dueAt: event.metadata.at, cause: causedBy(event) };
};
