import { causedBy } from '../domain/kernel.ts';
import type { Routing, SubmissionEvent } from '../domain/submission/events.ts';
import type { Status } from '../domain/submission/transitions.ts';
import { type DueItem, earliestDue, type Projection } from './projection.ts';

/** A submission that waits for processing: due work for the workers. */
export type ProcessingItem = DueItem;

/** The statuses in which nothing is to be processed. */
const STAYING: readonly (Status | null)[] = ['created', 'processing'];

/** The lane that a submission waits in. */
export const processingLane = ({ companyId, mode }: Pick<Routing, 'companyId' | 'mode'>): string =>
  `${companyId} ${mode}`;

/** Submitted and not yet processed: a lane a company and mode, so that no company's batch holds up another's. */
export const processingQueue: Projection<ProcessingItem, SubmissionEvent> = {
  name: 'processingQueue',
  version: 1,
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
    const { submissionId: id } = event.data;
    switch (event.type) {
      case 'SessionSubmitted':
        // Forced to stay so by its metadata (test mode): there is nothing to do.
        if (STAYING.includes(event.data.forced?.outcome ?? null)) return null;
        return { id, lane: processingLane(event.data), dueAt: event.metadata.at, cause: causedBy(event) };
      case 'SubmissionReprocessingRequested':
        return { id, lane: processingLane(event.data), dueAt: event.metadata.at, cause: causedBy(event) };
      case 'SubmissionProcessingDelayed':
        return item && { ...item, dueAt: event.data.retryAt, cause: causedBy(event) };
      default:
        return null;
    }
  },
};
