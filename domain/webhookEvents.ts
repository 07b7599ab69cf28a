import type { Recorded } from './kernel.ts';
import type { SubmissionEvent } from './submission/events.ts';
import type { Submission } from './submission/state.ts';
import { sessionIdOf } from './submission.ts';

/** The webhook event types (contract, section 6). */
export const webhookEventTypes = [
  'session.completed',
  'session.failed',
  'session.review_required',
  'submission.approved',
  'submission.rejected',
  'submission.cancelled',
  'submission.fraud_match_resolved',
  'batch.completed',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** The webhook that an event causes, null for history only (decisions, section 2). */
export const webhookTypeOf = (event: SubmissionEvent): WebhookEventType | null => {
  switch (event.type) {
    case 'SubmissionProcessed':
      return event.data.to === 'review' ? 'session.review_required' : 'session.completed';
    case 'SubmissionProcessingFailed':
      return 'session.failed';
    case 'SubmissionApproved':
      return 'submission.approved';
    case 'SubmissionRejected':
      return 'submission.rejected';
    case 'SubmissionCancelled':
    case 'SessionExpired':
      return 'submission.cancelled';
    case 'SubmissionFraudMatchResolved':
      return 'submission.fraud_match_resolved';
    default:
      return null;
  }
};

/**
 * The envelope that tells an integration of `event`, of which `state` is the submission right after it (contract, section 6;
 * decisions, section 6). Submission actions carry no result: they are kept small.
 */
export const webhookEnvelope = (
  event: Recorded<SubmissionEvent>,
  eventType: WebhookEventType,
  state: Submission,
) => ({
  eventId: event.id,
  eventType,
  occurredAt: event.metadata.at,
  sessionId: sessionIdOf(state.routing.submissionId),
  submissionId: state.routing.submissionId,
  workflow: state.routing.workflow,
  state: state.state,
  submissionStatus: state.status,
  result: eventType.startsWith('session.') ? state.result : null,
  clientSubmissionId: state.clientSubmissionId,
  metadata: state.metadata,
  batchRef: state.batchRef,
});
