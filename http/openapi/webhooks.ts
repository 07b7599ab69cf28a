import { type WebhookEventType, webhookEventTypes } from '../../domain/webhookEvents.ts';
import { Batch } from '../../schemas/batch.ts';
import { exampleOf } from '../../schemas/examples.ts';
import { WebhookEnvelope } from '../../schemas/webhook.ts';
import type { Json, OpenApi, Operation, ParameterShown, Refer } from './types.ts';

const NULL = { type: 'null' };

type Told = Readonly<{ summary: string; members?: Json; example: Json }>;

const decided = (summary: string, submissionStatus: string): Told => ({
  summary,
  members: { result: NULL, submissionStatus: { const: submissionStatus } },
  example: {
    state: submissionStatus === 'cancelled' ? 'cancelled' : 'completed',
    submissionStatus,
    result: null,
  },
});

const failure = { state: 'failed', submissionStatus: 'failed', result: null };

const events = (refer: Refer): Readonly<Record<WebhookEventType, Told>> => ({
  'session.completed': {
    summary: 'Processing finished and no review is required',
    members: { submissionStatus: { const: 'approved' }, state: { const: 'completed' } },
    example: { submissionStatus: 'approved' },
  },
  'session.failed': {
    summary: 'Processing failed: the files can’t be processed, or a better picture would do',
    members: {
      submissionStatus: { enum: ['failed', 'capture_quality_blocked'] },
      state: { const: 'failed' },
    },
    example: failure,
  },
  'session.review_required': {
    summary: 'Processing finished and a reviewer must decide',
    members: { submissionStatus: { const: 'review' }, state: { const: 'completed' } },
    example: {},
  },
  'submission.approved': decided('A submission was approved', 'approved'),
  'submission.rejected': decided('A submission was rejected', 'rejected'),
  'submission.cancelled': decided('A submission was cancelled, or its session expired', 'cancelled'),
  'submission.fraud_match_resolved': {
    summary: 'A fraud match was resolved: refetch the submission to see its fraud status',
    members: { result: NULL },
    example: { result: null },
  },
  'batch.completed': {
    summary: 'Every session of a batch has been processed, and the newest is five minutes old',
    members: {
      sessionId: NULL,
      submissionId: NULL,
      submissionStatus: NULL,
      state: { const: 'completed' },
      result: refer(Batch),
    },
    example: {
      sessionId: null,
      submissionId: null,
      workflow: null,
      submissionStatus: null,
      clientSubmissionId: null,
      metadata: null,
      result: exampleOf(Batch),
    },
  },
});

/** The webhooks of the document: what a receiver is sent, and what its answer means (contract, section 6). */
export const webhooksOf = (refer: Refer): OpenApi['webhooks'] => {
  const told = events(refer);
  return {
    ...Object.fromEntries(
      webhookEventTypes.map((type) => [type, { post: delivery(type, told[type], refer) }]),
    ),
    'webhook.test': { post: test },
  };
};

const delivery = (
  type: WebhookEventType,
  { summary, members = {}, example }: Told,
  refer: Refer,
): Operation => ({
  operationId: `on_${type.replace('.', '_')}`,
  summary,
  tags: ['Webhooks'],
  security: [],
  parameters: deliveryHeaders(type),
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          allOf: [
            refer(WebhookEnvelope),
            { type: 'object', properties: { eventType: { const: type }, ...members } },
          ],
        },
        example: { ...(exampleOf(WebhookEnvelope) as Json), ...example, eventType: type },
      },
    },
  },
  responses: {
    '2XX': { description: 'Taken: within ten seconds, with any body. Nothing more is sent of this event.' },
    default: {
      description:
        'Any other status, a redirect, a time-out or no connection is a failure: it is tried again 30 seconds, then 5 minutes, then 30 minutes later, under the same `X-Webhook-Id`.',
    },
  },
});

const header = (name: string, description: string, schema: Json, example: unknown): ParameterShown => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
  example,
});

const EVENT_ID = '018fd5c2-71f4-7a3b-9d0e-5b1c2d3e4f50';
const SECONDS = '1795257967';
const HEX = '4c3f0d9be8a1726554b1fa0c3d2e1f00998877665544332211ffeeddccbbaa01';

const deliveryHeaders = (type: string): readonly ParameterShown[] => [
  header(
    'X-Webhook-Signature',
    '`sha256=` and the lower-case hex HMAC-SHA256 of the raw body, keyed with the lower-case hex SHA-256 of the API key, used as text.',
    { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
    `sha256=${HEX}`,
  ),
  header('X-Webhook-Event', 'The event type.', { const: type }, type),
  header(
    'X-Webhook-Id',
    'The `eventId`, the same at every attempt.',
    { type: 'string', format: 'uuid' },
    EVENT_ID,
  ),
  header(
    'X-Webhook-Timestamp',
    'When this attempt was sent, in Unix seconds.',
    { type: 'string', pattern: '^[0-9]+$' },
    SECONDS,
  ),
  header('User-Agent', 'Who sends it.', { const: 'service-webhook/1.0' }, 'service-webhook/1.0'),
  header(
    'webhook-id',
    'As `X-Webhook-Id` (Standard Webhooks).',
    { type: 'string', format: 'uuid' },
    EVENT_ID,
  ),
  header(
    'webhook-timestamp',
    'As `X-Webhook-Timestamp` (Standard Webhooks).',
    { type: 'string', pattern: '^[0-9]+$' },
    SECONDS,
  ),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body` under the same key (Standard Webhooks): unlike the other signature it covers the time.',
    { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=$' },
    'v1,q0V0QmFzZTY0RXhhbXBsZU9mQVNpZ25hdHVyZUhlcmU=',
  ),
];

const test: Operation = {
  operationId: 'on_webhook_test',
  summary: 'What POST /api/v1/webhooks/test sends: unsigned, and once',
  tags: ['Webhooks'],
  security: [],
  parameters: [
    header('User-Agent', 'Who sends it.', { const: 'service-webhook/1.0' }, 'service-webhook/1.0'),
  ],
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
    default: { description: 'The test failed, as its result then says.' },
  },
};
