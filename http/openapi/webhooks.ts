import { type WebhookEventType, webhookEventTypes } from '../../domain/webhookEvents.ts';
import { Batch } from '../../schemas/batches.ts';
import { exampleOf } from '../../schemas/examples.ts';
import { WebhookEnvelope } from '../../schemas/webhooks.ts';
import { deliveryHeadersOf } from './headers.ts';
import type { Json, OpenApi, Operation, Refer } from './types.ts';

const NULL = { type: 'null' };
const ABSENT_IN_BATCHES =
  'sessionId submissionId workflow submissionStatus clientSubmissionId metadata'.split(' ');

/** `members` are narrower than those of the envelope, `example` differs from its example. */
type EventDoc = Readonly<{ summary: string; members: Json; example: Json }>;

const absentInBatches = (value: unknown): Json =>
  Object.fromEntries(ABSENT_IN_BATCHES.map((name) => [name, value]));

const decided = (summary: string, submissionStatus: string, state = 'completed'): EventDoc => ({
  summary,
  members: { result: NULL, submissionStatus: { const: submissionStatus } },
  example: { state, submissionStatus, result: null },
});

const processed = (summary: string, submissionStatus: string): EventDoc => ({
  summary,
  members: { submissionStatus: { const: submissionStatus }, state: { const: 'completed' } },
  example: { submissionStatus },
});

const events = (refer: Refer): Readonly<Record<WebhookEventType, EventDoc>> => ({
  'session.completed': processed('Processing has finished, and no review is needed', 'approved'),
  'session.failed': {
    summary: 'Processing failed: the files can’t be processed, or a better picture is needed',
    members: {
      submissionStatus: { type: 'string', enum: ['failed', 'capture_quality_blocked'] },
      state: { const: 'failed' },
    },
    example: { state: 'failed', submissionStatus: 'failed', result: null },
  },
  'session.review_required': processed('Processing has finished, and a reviewer must decide', 'review'),
  'submission.approved': decided('A submission was approved', 'approved'),
  'submission.rejected': decided('A submission was rejected', 'rejected'),
  'submission.cancelled': decided(
    'A submission was cancelled, or its session expired',
    'cancelled',
    'cancelled',
  ),
  'submission.fraud_match_resolved': {
    summary: 'A fraud match was resolved: read the submission for its fraud status',
    members: { result: NULL },
    example: { result: null },
  },
  'batch.completed': {
    summary: 'Every session of a batch has been processed, and the newest is five minutes old',
    members: {
      ...absentInBatches(NULL),
      batchRef: { type: 'string' },
      state: { const: 'completed' },
      result: refer(Batch),
    },
    example: { ...absentInBatches(null), result: exampleOf(Batch) },
  },
});

/** The webhooks of the document: the requests to a receiver, and the meaning of its answers. */
export const webhooksOf = (refer: Refer): OpenApi['webhooks'] => {
  const docs = events(refer);
  return {
    ...Object.fromEntries(
      webhookEventTypes.map((type) => [type, { post: delivery(type, docs[type], refer) }]),
    ),
    'webhook.test': { post: test },
  };
};

const delivery = (
  type: WebhookEventType,
  { summary, members, example }: EventDoc,
  refer: Refer,
): Operation => ({
  operationId: `on_${type.replace('.', '_')}`,
  summary,
  tags: ['Webhooks'],
  security: [],
  parameters: deliveryHeadersOf(type),
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          allOf: [
            refer(WebhookEnvelope),
            {
              type: 'object',
              required: ['eventType', ...Object.keys(members)],
              properties: { eventType: { const: type }, ...members },
            },
          ],
        },
        example: { ...(exampleOf(WebhookEnvelope) as Json), ...example, eventType: type },
      },
    },
  },
  responses: {
    '2XX': {
      description:
        'Delivered, if the answer came within ten seconds; its body is ignored. The event is sent again only on request.',
    },
    default: {
      description:
        'Failed: any other status, a redirect, a time-out or no connection. It is sent again after 30 seconds, 5 minutes and 30 minutes, with the same `X-Webhook-Id`.',
    },
  },
});

const test: Operation = {
  operationId: 'on_webhook_test',
  summary: 'The request of POST /api/v1/webhooks/test: unsigned, sent once',
  tags: ['Webhooks'],
  security: [],
  parameters: [{ $ref: '#/components/parameters/User-Agent' }],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['type', 'timestamp'],
          properties: { type: { const: 'webhook.test' }, timestamp: { type: 'string', format: 'date-time' } },
        },
        example: { type: 'webhook.test', timestamp: '2026-11-21T11:02:31.090Z' },
      },
    },
  },
  responses: {
    '2XX': { description: 'The test succeeded, if the answer came within five seconds.' },
    default: { description: 'The test failed; its result says why.' },
  },
};
