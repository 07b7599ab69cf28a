import {
  closed,
  DeliveryId,
  EventId,
  example,
  id,
  Mode,
  meaning,
  nullable,
  type Of,
  optional,
  pageOf,
  seldom,
  Time,
  Type,
  text,
  time,
  times,
} from '../kernel/schema.ts';
import { DeliveryStatus, WebhookUrl } from './sessions.ts';
import { WebhookEventType } from './webhookEvents.ts';

/** Deliveries that a count goes to: as many as one call sends again. */
export const MAX_COUNTED = 1_000;

const Checked = example(Time, times.decided);

/** The body of a webhook test. */
export const WebhookTestBody = Type.Object({ type: Type.Literal('webhook.test'), timestamp: Checked });

export const WebhookTestRequest = closed({ webhookUrl: WebhookUrl });

/** The result of a webhook test; a failure is a result (webhook-tests-8). */
export const WebhookTestResult = Type.Object({
  success: Type.Boolean(),
  statusCode: nullable(example(Type.Integer(), 204)),
  error: nullable(Type.String()),
  checkedAt: Checked,
});
export type WebhookTestResult = Of<typeof WebhookTestResult>;

const delivery = {
  id: meaning(
    DeliveryId,
    'names it in paths: the event, or the event, a dot, and the endpoint without `whe_`',
  ),
  eventId: EventId,
  endpointId: seldom(meaning(id('whe'), 'null where it goes to the `webhookUrl` of its session')),
  eventType: example(WebhookEventType, 'session.review_required'),
  sessionId: nullable(id('ses')),
  submissionId: nullable(id('sub')),
  keyId: text('the key that opened the session, or a session of the batch', 'key_01hv6x3m8q2r5t7w9y0a1b2c3d'),
  receiver: nullable(
    text('the host that it goes to; null once its address is not kept any more', 'erp.example.com'),
  ),
  status: DeliveryStatus,
  occurredAt: time('when the event happened', times.processed),
  createdAt: time('when the delivery was requested', times.processed),
  nextAttemptAt: nullable(
    time('when the next attempt is due; null when the delivery has ended', '2026-11-21T10:46:38.001Z'),
  ),
};

/** A row of GET /webhook-deliveries (deliveries-1). */
export const Delivery = Type.Object(delivery);
export type Delivery = Of<typeof Delivery>;
export const DeliveryPage = pageOf(Delivery);

/** How many deliveries GET /webhook-deliveries has with the same filters. */
export const DeliveryCount = Type.Object({
  count: meaning(Type.Integer({ minimum: 0, maximum: MAX_COUNTED }), `how many; ${MAX_COUNTED} at most`, 3),
  hasMore: Type.Boolean({ description: 'whether there are more than that', examples: [false] }),
});
export type DeliveryCount = Of<typeof DeliveryCount>;

/** An attempt: `statusCode` is null without an answer, `error` null on success. */
export const DeliveryAttempt = Type.Object({
  at: time('when it ended, durationMs after its start', '2026-11-21T10:46:08.001Z'),
  statusCode: nullable(example(Type.Integer(), 502)),
  durationMs: Type.Number({ minimum: 0, examples: [118] }),
  error: nullable(example(Type.String(), 'answered 502')),
  receiver: nullable(
    text('the host and the path that it was sent to; null where nothing was sent', 'erp.example.com/intake'),
  ),
  answer: nullable(
    text('the first 2 KiB of the body of the answer, as text; null where `receiver` is', 'Bad Gateway'),
  ),
});

export const DeliveryDetail = Type.Object({
  ...delivery,
  body: nullable(text('the bytes that are sent; null once they are not kept any more', '{"eventId":"…"}')),
  attempts: Type.Array(DeliveryAttempt),
});
export type DeliveryDetail = Of<typeof DeliveryDetail>;

/** A host as addresses have it: in lower case, with its port where it has one. */
export const Receiver = Type.String({ pattern: '^[^/A-Z\\s]{1,512}$', examples: ['erp.example.com'] });

/** Where deliveries failed, and how many of those that were counted. */
export const FailingReceiver = Type.Object({
  receiver: text('the host, with its port where it has one', 'erp.example.com'),
  count: Type.Integer({ minimum: 1, maximum: MAX_COUNTED, examples: [36] }),
  since: time('when the first of them was requested', times.processed),
});
export type FailingReceiver = Of<typeof FailingReceiver>;
export const FailingReceivers = pageOf(FailingReceiver);

/** A row of GET /operations/failing-receivers: the same, and whose deliveries they are (deliveries-21). */
export const CompanyFailingReceiver = Type.Object({
  companyId: id('cmp'),
  mode: Mode,
  ...FailingReceiver.properties,
});
export type CompanyFailingReceiver = Of<typeof CompanyFailingReceiver>;
export const CompanyFailingReceivers = pageOf(CompanyFailingReceiver);

const someOf = {
  receiver: optional(meaning(Receiver, 'only those to this host')),
  eventType: optional(WebhookEventType),
  keyId: optional(meaning(Type.String({ maxLength: 512 }), 'only those for sessions that this key opened')),
  endpointId: optional(meaning(Type.String({ maxLength: 512 }), 'only those to this webhook endpoint')),
};

/** For deliveries whose `createdAt` is from `from` to before `to`. */
export const RedeliveryRange = closed({
  from: Time,
  to: example(Time, times.decided),
  status: optional(example(DeliveryStatus, 'failed')),
  ...someOf,
});
export type RedeliveryRange = Of<typeof RedeliveryRange>;

const count = Type.Integer({
  minimum: 0,
  description: 'how many were queued, without pending ones',
  examples: [3],
});

/** How many deliveries were queued again, without pending ones. */
export const Redelivered = Type.Object({ count });
export type Redelivered = Of<typeof Redelivered>;

/** For failed deliveries whose `createdAt` is `since` or later. */
export const RecoverRequest = closed({ since: Time, ...someOf });

/** How many failed deliveries were queued again, and where another call continues. */
export const Recovered = Type.Object({
  count,
  next: seldom(time('the `since` of the call that continues; null when all are queued')),
});
export type Recovered = Of<typeof Recovered>;
