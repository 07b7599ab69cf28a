import type {
  Routing,
  SessionSubmitted,
  SubmissionEvent,
  SubmissionReprocessingRequested,
} from '../domain/submission/events.ts';
import type { Status } from '../domain/submission/transitions.ts';
import { deliveryLane } from '../domain/webhookUrl.ts';
import { causedBy, type Recorded } from '../kernel/event.ts';
import { type DueItem, earliestDue, type Projection } from './engine/projection.ts';

/** A submission that waits for processing: due work for the workers. */
export type ProcessingItem = DueItem;

/** The statuses in which nothing is to be processed. */
const STAYING: readonly (Status | null)[] = ['created', 'processing'];

/** The lane that a submission waits in; `readBy` is the origin of its http extractor, if it has one. */
export const processingLane = (
  { companyId, mode }: Pick<Routing, 'companyId' | 'mode'>,
  readBy: string | null = null,
): string => (readBy === null ? `${companyId} ${mode}` : deliveryLane(companyId, mode, readBy));

/**
 * Submitted and not yet processed: a lane a company and mode, so that no company's batch holds up another's, and one for each origin of http
 * extractors, so that one that hangs holds up nothing else of its company.
 */
export const processingQueue: Projection<ProcessingItem, SubmissionEvent> = {
  name: 'processingQueue',
  version: 2,
  prefixes: ['submission-'],
  handles: [
    'SessionSubmitted',
    'SubmissionReprocessingRequested',
    'SubmissionProcessingDelayed',
    'SubmissionProcessed',
    'SubmissionProcessingFailed',
    'SubmissionCancelled',
  ],
  indexes: [earliestDue],
  keys: ({ data }) => [data.submissionId],
  evolve: (item, event) => {
    switch (event.type) {
      case 'SessionSubmitted':
        // Forced to stay so by its metadata (test mode): there is nothing to do.
        if (STAYING.includes(event.data.forced?.outcome ?? null)) return null;
        return dueNow(event);
      case 'SubmissionReprocessingRequested':
        return dueNow(event);
      case 'SubmissionProcessingDelayed':
        return item && { ...item, dueAt: event.data.retryAt, cause: causedBy(event) };
      default:
        return null;
    }
  },
};

const dueNow = (event: Recorded<SessionSubmitted | SubmissionReprocessingRequested>): ProcessingItem => {
  const { submissionId: id, readBy } = event.data;
  return { id, lane: processingLane(event.data, readBy), dueAt: event.metadata.at, cause: causedBy(event) };
};
