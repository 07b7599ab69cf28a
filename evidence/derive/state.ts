import type { Submission, SubmissionEvent } from '../../domain/submission/state.ts';
import { sessionIdOf } from '../../domain/submission.ts';
import type { Recorded } from '../../kernel/event.ts';
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
    companyId: routing.companyId,
    mode: routing.mode,
    keyId: routing.keyId,
    workflow,
    batchId: routing.batchId,
    revision: last.revision,
    updatedAt: last.metadata.at,
    submissionStatus: state.status,
    jobState: state.state,
    expiresAt: state.expiresAt,
    clientSubmissionId: state.clientSubmissionId,
    batchRef: state.batchRef,
    metadata: state.metadata,
    webhookUrl: state.webhookUrl,
    ...outcomeOf(state),
  };
};

const outcomeOf = (state: Submission): object => ({
  round: state.round,
  attempt: state.attempt,
  extractedData: state.extractedData,
  fieldConfidences: state.fieldConfidences,
  confidence: state.confidence,
  certainty: state.certainty,
  aiSummary: state.aiSummary,
  result: state.result,
  reviewReasons: state.reviewReasons,
  corrections: state.corrections,
  failedReason: state.failedReason,
  rejectReason: state.rejectReason,
  cancelReason: state.cancelReason,
  fraudStatus: state.fraudStatus,
  fraudScore: state.fraudScore,
  fraudMatches: state.fraudMatches,
});
