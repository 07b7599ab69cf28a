import { createHmac } from 'node:crypto';

/** What one attempt sends; `body` as stored (a string as UTF-8), `at` is the time of the attempt. */
type Signable = Readonly<{ eventId: string; eventType: string; body: string | Uint8Array; at: Date }>;

/** What signs, newest first: each is a key in base64 after `whsec_`, or text. */
export type Secrets = readonly [newest: string, ...former: string[]];

/** The secret (`hashKey` of the API key) as Standard Webhooks libraries take it: `whsec_` and base64. */
export const standardWebhooksSecret = (secret: string): string =>
  `${PREFIX}${Buffer.from(secret, 'ascii').toString('base64')}`;

/**
 * The headers of one delivery attempt: those of the contract (webhooks-1) and those of Standard Webhooks.
 * `webhook-signature` has one by each secret, `X-Webhook-Signature` is that by the newest (endpoints-10).
 */
export const deliveryHeaders = (
  { eventId, eventType, body, at }: Signable,
  secrets: Secrets,
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'service-webhook/1.0',
    'X-Webhook-Event': eventType,
    'X-Webhook-Id': eventId,
    'X-Webhook-Timestamp': timestamp,
    ...signatures({ id: eventId, timestamp, body }, secrets),
  };
};

/** A request to an endpoint of a workflow version: `id` is the same at each try of the same thing. */
type Posted = Readonly<{ agent: string; submissionId: string; id: string; body: string; at: Date }>;

/**
 * The headers of a POST to a workflow version's own endpoint (extractors-4), signed as deliveries are, but
 * with the secret in the setting that the version names: one that starts with `whsec_` is a key in base64, as
 * Standard Webhooks libraries take it; any other is used as text.
 */
export const endpointHeaders = (
  { agent, submissionId, id, body, at }: Posted,
  secret: string,
): Readonly<Record<string, string>> => ({
  'Content-Type': 'application/json',
  'User-Agent': agent,
  'Idempotency-Key': submissionId,
  ...signatures({ id, timestamp: String(Math.floor(at.getTime() / 1000)), body }, [secret]),
});

const keyOf = (secret: string): Buffer =>
  secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);

const PREFIX = 'whsec_';

/** The signature of the body alone, and those of Standard Webhooks, which cover id and time too. */
const signatures = (
  { id, timestamp, body }: Readonly<{ id: string; timestamp: string; body: string | Uint8Array }>,
  secrets: Secrets,
) => ({
  'X-Webhook-Signature': `sha256=${createHmac('sha256', keyOf(secrets[0])).update(body).digest('hex')}`,
  'webhook-id': id,
  'webhook-timestamp': timestamp,
  'webhook-signature': secrets
    .map((secret) =>
      createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64'),
    )
    .map((signature) => `v1,${signature}`)
    .join(' '),
});
