import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Received } from '../receiver.ts';

/** The secrets that `intake key create` prints once. */
export type Secrets = Readonly<{ webhookSecret: string; standardWebhooksSecret: string }>;

/**
 * Verifies a webhook as a receiver should: the contract's own signature in constant time, then that of
 * Standard Webhooks with its official package, which checks the time too. Throws when either does not hold.
 */
export const verify = (
  { headers, body }: Received,
  secrets: Secrets,
): Readonly<{ eventType: string; submissionId: string }> => {
  const expected = `sha256=${createHmac('sha256', secrets.webhookSecret).update(body).digest('hex')}`;
  const given = String(headers['x-webhook-signature']);
  if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected))) {
    throw new Error(`the webhook ${headers['x-webhook-id']} has a wrong signature`);
  }
  const standard = new Webhook(secrets.standardWebhooksSecret).verify(
    body.toString(),
    headers as Record<string, string>,
  );
  return standard as { eventType: string; submissionId: string };
};
