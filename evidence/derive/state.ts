import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { sessionIdOf } from '../../domain/submission.ts';
import type { Recorded } from '../../kernel/event.ts';
import { pick } from '../../kernel/pick.ts';
import { submissionOf } from './known.ts';

/**
 * The submission after its events. Its members never change in version 1: later releases must derive the same
 * from the same events.
 */
export const stateOf = (events: readonly Recorded<SubmissionEvent>[]): object | null => {
  const state = submissionOf(events);
  const last = events.at(-1);
  if (!state || !last) return null;
  const { routing, workflow } = state;
  return {
    submissionId: routing.submissionId,
    sessionId: sessionIdOf(routing.submissionId),
    ...pick(routing, 'companyId', 'mode', 'keyId'),
    workflow,
    batchId: routing.batchId,
    revision: last.revision,
    updatedAt: last.metadata.at,
    submissionStatus: state.status,
    jobState: state.state,
    ...pick(state, 'expiresAt', 'clientSubmissionId', 'batchRef', 'metadata', 'webhookUrl'),
    ...pick(state, 'round', 'attempt', 'extractedData', 'fieldConfidences', 'confidence', 'certainty'),
    ...pick(state, 'aiSummary', 'result', 'reviewReasons', 'corrections'),
    ...pick(state, 'failedReason', 'rejectReason', 'cancelReason'),
    ...pick(state, 'fraudStatus', 'fraudScore', 'fraudMatches'),
  };
};
