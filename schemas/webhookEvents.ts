import { echoedAnswer, echoedNames } from '../domain/submission/echoed.ts';
import { ProcessingResult } from '../domain/submission/processingResult.ts';
import {
  type WebhookEventType as EventType,
  TEST_EVENT_TYPE,
  webhookEventTypes,
} from '../domain/webhookEvents.ts';
import {
  EventId,
  example,
  id,
  meaning,
  nullable,
  type Of,
  oneOf,
  pageOf,
  Time,
  type TSchema,
  Type,
  times,
  WorkflowReference,
} from '../kernel/schema.ts';
import { BatchRow } from './batches.ts';
import { EchoedBatchRef, JobState, SubmissionStatus } from './sessions.ts';

export const WebhookEventType = oneOf(webhookEventTypes);

/** What every event has (webhooks-5). */
const WebhookEnvelope = Type.Object({
  eventId: EventId,
  eventType: WebhookEventType,
  occurredAt: example(Time, times.processed),
  sessionId: nullable(id('ses')),
  submissionId: nullable(id('sub')),
  workflow: nullable(WorkflowReference),
  state: JobState,
  submissionStatus: nullable(SubmissionStatus),
  result: Type.Unsafe<object | null>(nullable(ProcessingResult)),
  ...echoedAnswer,
  batchRef: EchoedBatchRef,
});
type WebhookEnvelope = Of<typeof WebhookEnvelope>;

/** An event of this type; `members` are narrower than those of the envelope. */
const event = (eventType: EventType, members: Partial<Record<keyof WebhookEnvelope, TSchema>>) =>
  Type.Unsafe<WebhookEnvelope>(
    Type.Object({ ...WebhookEnvelope.properties, eventType: Type.Literal(eventType), ...members }),
  );

const ofSubmission = { sessionId: id('ses'), submissionId: id('sub'), workflow: WorkflowReference };

/** Processing has ended. */
const processed = (status: TSchema, state: string) => ({
  ...ofSubmission,
  submissionStatus: status,
  state: Type.Literal(state),
});

/** It carries no result (webhooks-9). */
const withoutResult = {
  ...ofSubmission,
  result: meaning(WebhookEnvelope.properties.result, 'null: the job and the submission have it'),
};

const decided = (status: string) => ({ ...withoutResult, submissionStatus: Type.Literal(status) });

export const FailedStatus = oneOf(['failed', 'capture_quality_blocked']);

export const SessionCompletedEvent = event(
  'session.completed',
  processed(Type.Literal('approved'), 'completed'),
);
export const SessionFailedEvent = event('session.failed', processed(FailedStatus, 'failed'));
export const SessionReviewRequiredEvent = event(
  'session.review_required',
  processed(Type.Literal('review'), 'completed'),
);
export const SubmissionApprovedEvent = event('submission.approved', decided('approved'));
export const SubmissionRejectedEvent = event('submission.rejected', decided('rejected'));
export const SubmissionCancelledEvent = event('submission.cancelled', decided('cancelled'));
export const SubmissionFraudMatchResolvedEvent = event('submission.fraud_match_resolved', {
  ...withoutResult,
  submissionStatus: SubmissionStatus,
});

/** What is private of the submission is gone: what its client named is null (webhooks-36). */
export const SubmissionRedactedEvent = event('submission.redacted', {
  ...withoutResult,
  submissionStatus: SubmissionStatus,
});

const ofNoSubmission = (...names: readonly (keyof WebhookEnvelope)[]) =>
  Object.fromEntries(
    names.map((name) => [name, meaning(WebhookEnvelope.properties[name], 'null: it is about no submission')]),
  );

/** What only a submission has is null (batches-13). */
export const BatchCompletedEvent = event('batch.completed', {
  ...ofNoSubmission('sessionId', 'submissionId', 'workflow', 'submissionStatus'),
  ...ofNoSubmission(...echoedNames),
  state: Type.Literal('completed'),
  result: BatchRow,
  batchRef: EchoedBatchRef,
});

/**
 * The body of a test of an endpoint, which is of no event: all that an event would say is null
 * (endpoints-14).
 */
export const EndpointTestEvent = Type.Object({
  ...WebhookEnvelope.properties,
  eventType: Type.Literal(TEST_EVENT_TYPE),
  state: nullable(JobState),
});

/** The body of every delivery by its type (webhooks-5). */
export const webhookEvents: Readonly<Record<EventType, TSchema>> = {
  'session.completed': SessionCompletedEvent,
  'session.failed': SessionFailedEvent,
  'session.review_required': SessionReviewRequiredEvent,
  'submission.approved': SubmissionApprovedEvent,
  'submission.rejected': SubmissionRejectedEvent,
  'submission.cancelled': SubmissionCancelledEvent,
  'submission.fraud_match_resolved': SubmissionFraudMatchResolvedEvent,
  'submission.redacted': SubmissionRedactedEvent,
  'batch.completed': BatchCompletedEvent,
};

/** Any of them: `eventType` says which. */
export const WebhookEvent = Type.Unsafe<WebhookEnvelope>(Type.Union(Object.values(webhookEvents)));

/** The same envelopes in commit order (feed-1). */
export const EventFeed = pageOf(WebhookEvent);
