import type { Recorded } from '../kernel/event.ts';
import { REDACTED, reveal, unlessRedacted } from '../kernel/event.ts';
import type { BatchEvent } from './batch.ts';
import { echoOf, noEcho } from './submission/echoed.ts';
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
  'submission.redacted',
  'batch.completed',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** The type of a test of an endpoint: no event of the log. */
export const TEST_EVENT_TYPE = 'webhook.test';

/**
 * The webhook that each event causes, null for none; a submission that is processed may cause another one.
 */
const webhooks = {
  SessionCreated: null,
  SessionSubmitted: null,
  SessionExpired: 'submission.cancelled',
  SubmissionProcessingStarted: null,
  SubmissionProcessingDelayed: null,
  SubmissionFingerprinted: null,
  SubmissionFraudChecked: null,
  SubmissionProcessed: 'session.completed',
  SubmissionProcessingFailed: 'session.failed',
  SubmissionResultDropped: null,
  SubmissionReprocessingRequested: null,
  SubmissionOpenedForEntry: 'session.review_required',
  SubmissionFirstDecisionMade: null,
  SubmissionApproved: 'submission.approved',
  SubmissionRejected: 'submission.rejected',
  SubmissionCancelled: 'submission.cancelled',
  SubmissionFraudMatchResolved: 'submission.fraud_match_resolved',
  SubmissionSynced: null,
  SubmissionSyncFailed: null,
  SubmissionSyncRequested: null,
  SubmissionRedactionRequested: null,
  SubmissionRedacted: 'submission.redacted',
  SubmissionLegalHoldPlaced: null,
  SubmissionLegalHoldLifted: null,
  SubmissionNoteAdded: null,
  SubmissionAssigned: null,
  SubmissionPostponed: null,
  SubmissionResumed: null,
  BatchCompleted: 'batch.completed',
} as const satisfies Record<(SubmissionEvent | BatchEvent)['type'], WebhookEventType | null>;

type Webhooks = typeof webhooks;
type Cause = { [T in keyof Webhooks]: Webhooks[T] extends null ? never : T }[keyof Webhooks];

/** The events that cause a webhook. */
export const webhookCauses = (Object.keys(webhooks) as readonly (keyof Webhooks)[]).filter(
  (type): type is Cause => webhooks[type] !== null,
);

/** The webhook that an event causes, null for history only. */
export const webhookTypeOf = (event: SubmissionEvent | BatchEvent): WebhookEventType | null => {
  if (event.type === 'SubmissionProcessed' && event.data.to === 'review') return 'session.review_required';
  return webhooks[event.type];
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
  ...ofEvent(event, eventType, state),
  ...(eventType === 'submission.redacted' ? NAMELESS : namesOf(state)),
});

/** What a client named so. */
const namesOf = (state: Submission) => ({
  ...echoOf(state),
  batchRef: state.batchRef,
});
const NAMELESS = { ...noEcho, batchRef: null } as const;

const ofEvent = (event: Recorded<SubmissionEvent>, eventType: WebhookEventType, state: Submission) => ({
  eventId: event.id,
  eventType,
  occurredAt: event.metadata.at,
  sessionId: sessionIdOf(state.routing.submissionId),
  submissionId: state.routing.submissionId,
  workflow: state.routing.workflow,
  state: state.state,
  submissionStatus: state.status,
  result: eventType.startsWith('session.') ? unlessRedacted(state.result) : null,
});

/**
 * The envelope of a test of an endpoint, which is of no event: what an event would say is null
 * (endpoints-14).
 */
export const testEnvelope = (eventId: string, occurredAt: string) => ({
  ...{ eventId, eventType: TEST_EVENT_TYPE, occurredAt },
  ...{ sessionId: null, submissionId: null, workflow: null, state: null, submissionStatus: null },
  ...{ result: null, ...NAMELESS },
});

/** The envelope of batch.completed: what only a session has is null (batches-13). */
export const batchEnvelope = ({ id, data }: Recorded<BatchEvent>) => {
  const { counts, createdAt, completedAt } = data;
  const known = reveal(data.private, 'batchRef');
  const batchRef = known === REDACTED ? null : known;
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
    ...noEcho,
    batchRef,
  };
};
