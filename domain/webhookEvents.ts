import type { Recorded } from '../kernel/event.ts';
import { reveal } from '../kernel/event.ts';
import type { BatchEvent } from './batch.ts';
import type { Submission, SubmissionEvent } from './submission/state.ts';
import { sessionIdOf } from './submission/submission.ts';

/** The webhook event types. */
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

/** The events that cause a webhook, and its type; a submission that is processed may cause another one. */
export const webhookCauses = {
  SubmissionProcessed: 'session.completed',
  SubmissionProcessingFailed: 'session.failed',
  SubmissionApproved: 'submission.approved',
  SubmissionRejected: 'submission.rejected',
  SubmissionCancelled: 'submission.cancelled',
  SessionExpired: 'submission.cancelled',
  SubmissionFraudMatchResolved: 'submission.fraud_match_resolved',
  BatchCompleted: 'batch.completed',
} as const satisfies Partial<Record<(SubmissionEvent | BatchEvent)['type'], WebhookEventType>>;

/** The webhook that an event causes, null for history only. */
export const webhookTypeOf = (event: SubmissionEvent | BatchEvent): WebhookEventType | null => {
  if (event.type === 'SubmissionProcessed' && event.data.to === 'review') return 'session.review_required';
  const types: Partial<Record<string, WebhookEventType>> = webhookCauses;
  return types[event.type] ?? null;
};

/**
 * The envelope that notifies an integration of `event`; `state` is the submission right after it
 * (webhooks-5). Submission actions carry no result: they are kept small.
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

/** The envelope of batch.completed: what only a session has is null (batches-13). */
export const batchEnvelope = ({ id, data }: Recorded<BatchEvent>) => {
  const { counts, createdAt, completedAt } = data;
  const batchRef = reveal(data.private, 'batchRef');
  return {
    eventId: id,
    eventType: 'batch.completed' as const,
    occurredAt: completedAt,
    sessionId: null,
    submissionId: null,
    workflow: null,
    state: 'completed' as const,
    submissionStatus: null,
    result: { batchRef, status: 'completed', counts, createdAt, completedAt },
    clientSubmissionId: null,
    metadata: null,
    batchRef,
  };
};
