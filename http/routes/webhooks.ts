import { webhookUrlFaults } from '../../schemas/sessionRules.ts';
import { WebhookTestRequest, WebhookTestResult } from '../../schemas/webhooks.ts';
import { actorOf } from '../engine/access/caller.ts';
import { type Route, route } from '../engine/route.ts';

type WebhookTestPorts = Readonly<{
  /** Throws 429 when a key has used up its tests. */
  limit(keyId: string): Promise<void>;
  testReceiver(url: string): Promise<WebhookTestResult>;
}>;

/** Sends a test request to a webhook address (webhook-tests-1). */
export const webhookTestRoute = ({ limit, testReceiver }: WebhookTestPorts): Route =>
  route({
    name: 'testWebhook',
    summary: 'Send an unsigned test request to an address',
    description:
      'A failure of the target is a result, not a problem: `success` is true for a 2xx answer within 5 seconds. Redirects are not followed. A receiver that requires signatures may refuse it. The limit is 10 tests a minute for a key.',
    method: 'POST',
    path: '/api/v1/webhooks/test',
    access: 'webhooks.test',
    body: WebhookTestRequest,
    answers: { 200: WebhookTestResult },
  })({
    check: ({ body }) => webhookUrlFaults(body),
    run: async ({ caller, body }) => {
      await limit(actorOf(caller).id);
      return { status: 200, body: await testReceiver(body.webhookUrl) };
    },
  });
