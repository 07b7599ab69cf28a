import { noEcho } from '../../domain/submission/echoed.ts';
import type { WebhookEventType } from '../../domain/webhookEvents.ts';
import { EndpointTestEvent, EventFeed, webhookEvents } from '../webhookEvents.ts';
import {
  DeliveryCount,
  DeliveryDetail,
  DeliveryPage,
  Recovered,
  RecoverRequest,
  Redelivered,
  RedeliveryRange,
  WebhookTestBody,
  WebhookTestRequest,
  WebhookTestResult,
} from '../webhooks.ts';
import { type Example, example, ids, receipt, times, wholePage } from './example.ts';
import { batch } from './others.ts';
import { echo, result } from './sessions.ts';

const envelope = {
  eventId: ids.event,
  eventType: 'session.review_required',
  occurredAt: times.processed,
  sessionId: ids.session,
  submissionId: ids.submission,
  workflow: receipt,
  state: 'completed',
  submissionStatus: 'review',
  result,
  ...echo,
} as const;

const decided = { result: null };

/** What differs from the envelope above. */
const events: Readonly<Record<WebhookEventType, object>> = {
  'session.completed': { submissionStatus: 'approved' },
  'session.failed': { state: 'failed', submissionStatus: 'failed', result: null },
  'session.review_required': {},
  'submission.approved': { ...decided, submissionStatus: 'approved' },
  'submission.rejected': { ...decided, submissionStatus: 'rejected' },
  'submission.cancelled': { ...decided, submissionStatus: 'cancelled', state: 'cancelled' },
  'submission.fraud_match_resolved': decided,
  'submission.redacted': { ...decided, ...noEcho, batchRef: null },
  'batch.completed': {
    ...{ sessionId: null, submissionId: null, workflow: null, submissionStatus: null },
    ...{ ...noEcho, result: batch, batchRef: batch.batchRef },
  },
};

const delivery = {
  id: ids.event,
  eventId: ids.event,
  endpointId: null,
  eventType: envelope.eventType,
  sessionId: ids.session,
  submissionId: ids.submission,
  keyId: ids.key,
  status: 'pending',
  occurredAt: times.processed,
  createdAt: times.processed,
  nextAttemptAt: '2026-11-21T10:46:38.001Z',
} as const;

export const webhookExamples: readonly Example[] = [
  ...Object.entries(events).map(([type, members]): Example => {
    const eventType = type as WebhookEventType;
    return [webhookEvents[eventType], { ...envelope, ...members, eventType }];
  }),
  example(EndpointTestEvent, {
    ...{ eventId: ids.event, eventType: 'webhook.test', occurredAt: times.decided },
    ...{ sessionId: null, submissionId: null, workflow: null, state: null, submissionStatus: null },
    ...{ result: null, ...noEcho, batchRef: null },
  }),
  example(EventFeed, { data: [envelope], pagination: wholePage }),
  example(WebhookTestBody, { type: 'webhook.test', timestamp: times.decided }),
  example(WebhookTestRequest, { webhookUrl: 'https://erp.example.com/hooks/intake' }),
  example(WebhookTestResult, { success: true, statusCode: 204, error: null, checkedAt: times.decided }),
  example(DeliveryPage, { data: [delivery], pagination: wholePage }),
  example(DeliveryCount, { count: 3, hasMore: false }),
  example(DeliveryDetail, {
    ...delivery,
    attempts: [{ at: times.processed, statusCode: 502, durationMs: 118, error: 'answered 502' }],
  }),
  example(RedeliveryRange, { from: times.opened, to: times.decided, status: 'failed' }),
  example(Redelivered, { count: 3 }),
  example(RecoverRequest, { since: times.opened }),
  example(Recovered, { count: 1_000, next: times.decided }),
];
