import {
  DeliveryCount,
  DeliveryDetail,
  DeliveryPage,
  EventFeed,
  Recovered,
  RecoverRequest,
  Redelivered,
  RedeliverRequest,
  WebhookEnvelope,
  WebhookTestRequest,
  WebhookTestResult,
} from '../webhooks.ts';
import { type Example, example, ids, receipt, times, wholePage } from './example.ts';
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

const delivery = {
  eventId: ids.event,
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
  example(WebhookEnvelope, envelope),
  example(EventFeed, { data: [envelope], pagination: wholePage }),
  example(WebhookTestRequest, { webhookUrl: 'https://erp.example.com/hooks/intake' }),
  example(WebhookTestResult, { success: true, statusCode: 204, error: null, checkedAt: times.decided }),
  example(DeliveryPage, { data: [delivery], pagination: wholePage }),
  example(DeliveryCount, { count: 3, hasMore: false }),
  example(DeliveryDetail, {
    ...delivery,
    attempts: [{ at: times.processed, statusCode: 502, durationMs: 118, error: 'answered 502' }],
  }),
  example(RedeliverRequest, { from: times.opened, to: times.decided, status: 'failed' }),
  example(Redelivered, { count: 3 }),
  example(RecoverRequest, { since: times.opened }),
  example(Recovered, { count: 1_000, next: times.decided }),
];
