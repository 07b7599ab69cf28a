import { webhookEventTypes } from '../domain/webhookEvents.ts';
import {
  closed,
  EventId,
  id,
  meaning,
  nullable,
  type Of,
  oneOf,
  opaque,
  optional,
  pageOf,
  Time,
  Type,
  WorkflowReference,
} from '../kernel/schema.ts';
import { deliveryStatuses, echoed, JobState, SubmissionStatus, WebhookUrl } from './session.ts';

const EventType = oneOf(webhookEventTypes);

/** The body of every delivery (webhooks-5); in batch.completed the members of a submission are null. */
export const WebhookEnvelope = Type.Object({
  eventId: EventId,
  eventType: EventType,
  occurredAt: Time,
  sessionId: nullable(id('ses')),
  submissionId: nullable(id('sub')),
  workflow: nullable(WorkflowReference),
  state: nullable(JobState),
  submissionStatus: nullable(SubmissionStatus),
  result: opaque('what processing found; null in submission.*; the batch in batch.completed'),
  ...echoed,
  batchRef: nullable(Type.String()),
});
export type WebhookEnvelope = Of<typeof WebhookEnvelope>;

/** GET /events: the same envelopes in commit order. */
export const EventFeed = pageOf(WebhookEnvelope);

/** POST /webhooks/test. */
export const WebhookTestRequest = closed({ webhookUrl: WebhookUrl });
export type WebhookTestRequest = Of<typeof WebhookTestRequest>;

/** The result of a webhook test; a failure is a result (webhook-tests-8). */
export const WebhookTestResult = Type.Object({
  success: Type.Boolean(),
  statusCode: nullable(Type.Integer()),
  error: nullable(Type.String()),
  checkedAt: Time,
});
export type WebhookTestResult = Of<typeof WebhookTestResult>;

const delivery = {
  eventId: EventId,
  eventType: EventType,
  sessionId: nullable(id('ses')),
  submissionId: nullable(id('sub')),
  status: oneOf(deliveryStatuses),
  occurredAt: meaning(Time, 'when the event happened'),
  createdAt: meaning(Time, 'when the delivery was asked for'),
  nextAttemptAt: nullable(meaning(Time, 'when it is tried next; null when it has ended')),
};

/** A row of GET /webhook-deliveries (deliveries-1). */
export const Delivery = Type.Object(delivery);
export type Delivery = Of<typeof Delivery>;
export const DeliveryPage = pageOf(Delivery);

/** An attempt: `statusCode` is null without an answer, `error` null on success. */
export const DeliveryAttempt = Type.Object({
  at: meaning(Time, 'when it ended; it began durationMs earlier'),
  statusCode: nullable(Type.Integer()),
  durationMs: Type.Number({ minimum: 0 }),
  error: nullable(Type.String()),
});

/** GET /webhook-deliveries/{eventId}. */
export const DeliveryDetail = Type.Object({ ...delivery, attempts: Type.Array(DeliveryAttempt) });
export type DeliveryDetail = Of<typeof DeliveryDetail>;

/** POST /webhook-deliveries/redeliver: those whose `createdAt` is from `from` to before `to`. */
export const RedeliverRequest = closed({
  from: Time,
  to: Time,
  status: optional(oneOf(deliveryStatuses)),
});
export type RedeliverRequest = Of<typeof RedeliverRequest>;

/** 202 of both redeliver calls: how many were queued again, without pending ones. */
export const Redelivered = Type.Object({ count: Type.Integer({ minimum: 0 }) });
