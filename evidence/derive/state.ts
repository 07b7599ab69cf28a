import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { evolve, type Submission } from '../../domain/submission/state.ts';
import { sessionIdOf } from '../../domain/submission.ts';
import type { Recorded } from '../../kernel/event.ts';

/**
 * The submission as its events left it. Each member is named here, and none is ever added to version 1: a later release must derive the same from
 * the same events.
 */
export const stateOf = (events: readonly Recorded<SubmissionEvent>[]): object | null => {
  const state = events.reduce<Submission | null>(evolve, null);
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
