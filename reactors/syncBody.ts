import type { SubmissionEvent } from '../domain/submission/state.ts';
import { evolve, type Submission } from '../domain/submission/state.ts';
import { sessionIdOf } from '../domain/submission.ts';
import { REDACTED, type Recorded } from '../kernel/event.ts';

/**
 * What is sent to a workflow's sync target (sync-1), as the submission was right after its approval: whatever
 * came since, the same events give the same bytes. Null when its key has been destroyed. Throws for one that
 * was never approved.
 */
export const syncBody = (events: readonly Recorded<SubmissionEvent>[]): string | null => {
  const last = events.findLastIndex(({ data }) => 'to' in data && data.to === 'approved');
  const state = events.slice(0, last + 1).reduce<Submission | null>(evolve, null);
  const approval = events[last];
  if (!state || !approval) throw new Error('only what was approved can be sent');
  if (state.extractedData === REDACTED) return null;
  const { submissionId, companyId, mode, workflow } = state.routing;
  const { extractedData, fieldConfidences, corrections, clientSubmissionId, metadata, batchRef } = state;
  return JSON.stringify({
    submissionId,
    sessionId: sessionIdOf(submissionId),
    companyId,
    mode,
    workflow,
    approvedAt: approval.metadata.at,
    approvedBy: approval.type === 'SubmissionApproved' ? 'reviewer' : 'machine',
    extractedData,
    fieldConfidences,
    corrections,
    clientSubmissionId,
    metadata,
    batchRef,
  });
};
