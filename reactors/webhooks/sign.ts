import { createHmac } from 'node:crypto';

/** What one attempt sends; `body` are the stored bytes (a string is sent as UTF-8), `at` is when the attempt is made. */
export type Signable = Readonly<{ eventId: string; eventType: string; body: string | Uint8Array; at: Date }>;

/** The secret (`hashKey` of the API key) in the form that Standard Webhooks libraries take: `whsec_` and base64 of its 64 ASCII characters. */
export const standardWebhooksSecret = (secret: string): string =>
  `whsec_${Buffer.from(secret, 'ascii').toString('base64')}`;

/**
 * The headers of one delivery attempt: those of the contract (section 6, "Delivery headers") and those of Standard
 * Webhooks, whose signature covers id and time too. Both are keyed with `secret`, used as text.
 */
export const deliveryHeaders = (
  { eventId, eventType, body, at }: Signable,
  secret: string,
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const bodyAlone = createHmac('sha256', secret).update(body).digest('hex');
  const all = createHmac('sha256', secret).update(`${eventId}.${timestamp}.`).update(body).digest('base64');
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'service-webhook/1.0',
    'X-Webhook-Signature': `sha256=${bodyAlone}`,
    'X-Webhook-Event': eventType,
    'X-Webhook-Id': eventId,
    'X-Webhook-Timestamp': timestamp,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${all}`,
  };
};
