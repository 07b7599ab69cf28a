import { delaysInWords, RETRY_DELAYS_MS } from '../../domain/retrySchedule.ts';
import { type WebhookEventType, webhookEventTypes } from '../../domain/webhookEvents.ts';
import { exampleOf } from '../../schemas/examples.ts';
import { EndpointTestEvent, webhookEvents } from '../../schemas/webhookEvents.ts';
import { WebhookTestBody } from '../../schemas/webhooks.ts';
import { deliveryHeaders } from './headers.ts';
import type { OpenApi, Operation, Refer, RequestBodyObject } from './types.ts';

const summaries: Readonly<Record<WebhookEventType, string>> = {
  'session.completed': 'Processing has finished, and no review is needed',
  'session.failed': 'Processing failed: the files can’t be processed, or a better picture is needed',
  'session.review_required': 'Processing has finished, and a reviewer must decide',
  'submission.approved': 'A submission was approved',
  'submission.rejected': 'A submission was rejected',
  'submission.cancelled': 'A submission was cancelled, or its session expired',
  'submission.fraud_match_resolved': 'A fraud match was resolved: read the submission for its fraud status',
  'submission.redacted': 'What is private of a submission has been removed for ever',
  'batch.completed': 'Every session of a batch has been processed, and the newest is five minutes old',
};

/** The webhooks of the document: the requests to a receiver, and the meaning of its answers. */
export const webhooksOf = (refer: Refer): OpenApi['webhooks'] => ({
  ...Object.fromEntries(webhookEventTypes.map((type) => [type, { post: delivery(type, refer) }])),
  'webhook.test': { post: test(refer) },
  'endpoint.test': { post: endpointTest(refer) },
});

const delivery = (type: WebhookEventType, refer: Refer): Operation => ({
  operationId: `on_${type.replace('.', '_')}`,
  summary: summaries[type],
  description:
    'Sent to the `webhookUrl` of the session, signed with the hash of the key that opened it, and to each webhook endpoint of the company, signed with its secret.',
  tags: ['Webhooks'],
  security: [],
  parameters: deliveryHeaders,
  requestBody: bodyOf(webhookEvents[type], refer),
  responses: {
    '2XX': {
      description:
        'Delivered, if the answer came within ten seconds; its body is ignored. The event is sent again only on request.',
    },
    default: {
      description: `Failed: any other status, a redirect, a time-out or no connection. It is sent again after ${delaysInWords(RETRY_DELAYS_MS)}, with the same \`X-Webhook-Id\`.`,
    },
  },
});

const bodyOf = (schema: object, refer: Refer): RequestBodyObject => ({
  required: true,
  content: { 'application/json': { schema: refer(schema), example: exampleOf(schema) } },
});

const test = (refer: Refer): Operation => ({
  operationId: 'on_webhook_test',
  summary: 'The request of POST /api/v1/webhooks/test',
  description: 'Sent once, unsigned.',
  tags: ['Webhooks'],
  security: [],
  parameters: [{ $ref: '#/components/parameters/User-Agent' }],
  requestBody: bodyOf(WebhookTestBody, refer),
  responses: tested,
});

const endpointTest = (refer: Refer): Operation => ({
  operationId: 'on_endpoint_test',
  summary: 'The request of POST /api/v1/webhook-endpoints/{endpointId}/test',
  description: 'Sent once, signed as every webhook of the endpoint. `X-Webhook-Event` is `webhook.test`.',
  tags: ['Webhooks'],
  security: [],
  parameters: deliveryHeaders,
  requestBody: bodyOf(EndpointTestEvent, refer),
  responses: tested,
});

const tested: Operation['responses'] = {
  '2XX': { description: 'The test succeeded, if the answer came within five seconds.' },
  default: { description: 'The test failed; its result says why.' },
};
