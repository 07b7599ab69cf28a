import type { Json, Operation, ParameterObject } from './types.ts';

const header = (name: string, description: string, schema: Json, example: unknown): ParameterObject => ({
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
const UUID = { type: 'string', format: 'uuid' };
const DIGITS = { type: 'string', pattern: '^[0-9]+$' };
const AGENT = 'service-webhook/1.0';

const all: readonly ParameterObject[] = [
  header(
    'X-Webhook-Signature',
    '`sha256=` and the lower-case hex HMAC-SHA256 of the raw body, keyed with the lower-case hex SHA-256 of the API key, used as text.',
    { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
    `sha256=${HEX}`,
  ),
  header('X-Webhook-Id', 'The `eventId`, the same at every attempt.', UUID, EVENT_ID),
  header('X-Webhook-Timestamp', 'When this attempt was sent, in Unix seconds.', DIGITS, SECONDS),
  header('User-Agent', 'Who sends it.', { const: AGENT }, AGENT),
  header('webhook-id', 'As `X-Webhook-Id` (Standard Webhooks).', UUID, EVENT_ID),
  header('webhook-timestamp', 'As `X-Webhook-Timestamp` (Standard Webhooks).', DIGITS, SECONDS),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body` under the same key (Standard Webhooks): unlike the other signature it covers the time.',
    { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=$' },
    'v1,q0V0QmFzZTY0RXhhbXBsZU9mQVNpZ25hdHVyZUhlcmU=',
  ),
];

/** The headers of every delivery, by name (webhooks-1). */
export const deliveryHeaders: Readonly<Record<string, ParameterObject>> = Object.fromEntries(
  all.map((parameter) => [parameter.name, parameter]),
);

/** The headers of deliveries of one type. */
export const deliveryHeadersOf = (type: string): Operation['parameters'] => [
  header('X-Webhook-Event', 'The event type.', { const: type }, type),
  ...all.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
];
