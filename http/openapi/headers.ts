import type { HeaderObject, Json, OpenApi, Operation, ParameterObject, Reference } from './types.ts';

const header = (description: string, schema: Json, example: unknown, required = true): HeaderObject => ({
  description,
  ...(required ? { required } : {}),
  schema,
  example,
});

const TEXT = { type: 'string' };
const SECONDS = { type: 'integer', minimum: 0, format: 'int64' };

/** The headers of answers, by their names among the document's components. */
export const headers = {
  'X-Request-Id': header(
    'The identifier of the request: the one that was sent, otherwise a new one.',
    TEXT,
    'order-4711-1',
  ),
  Location: header('The address of the job.', TEXT, '/api/v1/jobs/ses_01hv6x3m8q2r5t7w9y0a1b2c3d'),
  ETag: header('The revision or version, for `If-Match` and `If-None-Match`.', TEXT, '"7"'),
  'Retry-After': header(
    'Seconds to wait before the next request; absent once processing has ended.',
    SECONDS,
    1,
    false,
  ),
  'Retry-After-Refused': header('Seconds to wait before the next attempt.', SECONDS, 1),
  RateLimit: header(
    'The requests that remain, `r`, and the seconds until the limit is reset, `t`; absent where limits are off.',
    TEXT,
    '"default";r=99;t=1',
    false,
  ),
  'RateLimit-Policy': header(
    'The limit of a key or a person: `q` requests in `w` seconds; absent where limits are off.',
    TEXT,
    '"default";q=100;w=1',
    false,
  ),
  'Idempotency-Replayed': header(
    'Present where this is the first answer to the Idempotency-Key, sent again.',
    TEXT,
    'true',
    false,
  ),
  'Content-Disposition': header(
    'The name under which the answer is saved.',
    TEXT,
    'attachment; filename="evidence-sub_01hv6x3m8q2r5t7w9y0a1b2c3d.zip"',
  ),
  'Set-Cookie': header(
    'Sets or removes the cookie of the session, where the session is a page’s.',
    TEXT,
    '__Host-intake=ast_…; Max-Age=43200; Path=/; HttpOnly; Secure; SameSite=Lax',
    false,
  ),
  'Clear-Site-Data': header(
    'Has a browser forget what it keeps of the service, where the session was a page’s.',
    TEXT,
    '"cache", "storage"',
    false,
  ),
  'WWW-Authenticate': header('The authentication scheme.', TEXT, 'Bearer'),
} as const satisfies Record<string, HeaderObject>;

export type HeaderKey = keyof typeof headers;

/** The `headers` of an answer, each by reference. */
export const headersOf = (keys: readonly HeaderKey[]): Readonly<Record<string, Reference>> =>
  Object.fromEntries(
    keys.map((key) => [key.replace(/-Refused$/, ''), { $ref: `#/components/headers/${key}` }]),
  );

/** The headers of answers that count against a rate limit. */
export const rateHeaders: readonly HeaderKey[] = ['RateLimit', 'RateLimit-Policy'];

const EVENT_ID = '018fd5c2-71f4-7a3b-9d0e-5b1c2d3e4f50';
const SENT_AT = '1795257967';
const HEX = '4c3f0d9be8a1726554b1fa0c3d2e1f00998877665544332211ffeeddccbbaa01';
const UUID = { type: 'string', format: 'uuid' };
const DIGITS = { type: 'string', pattern: '^[0-9]+$' };
const AGENT = 'service-webhook/1.0';

const ofDelivery = {
  'X-Webhook-Event': header('The `eventType`.', TEXT, 'session.completed'),
  'X-Webhook-Signature': header(
    '`sha256=` and the lower-case hex HMAC-SHA256 of the raw body. The key is the lower-case hex SHA-256 of the API key, as text.',
    { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
    `sha256=${HEX}`,
  ),
  'X-Webhook-Id': header('The `eventId`, the same at every attempt.', UUID, EVENT_ID),
  'X-Webhook-Timestamp': header('When this attempt was sent, in Unix seconds.', DIGITS, SENT_AT),
  'User-Agent': header('The name of the sender.', TEXT, AGENT),
  'webhook-id': header('As `X-Webhook-Id` (Standard Webhooks).', UUID, EVENT_ID),
  'webhook-timestamp': header('As `X-Webhook-Timestamp` (Standard Webhooks).', DIGITS, SENT_AT),
  'webhook-signature': header(
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body` under the same key (Standard Webhooks). Unlike the other signature it covers the time. After a rotation of an endpoint’s secret there is one by each valid secret, separated by spaces.',
    { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
    'v1,q0V0QmFzZTY0RXhhbXBsZU9mQVNpZ25hdHVyZUhlcmU=',
  ),
};

const ofRequest = {
  'X-Request-Id': header(
    'An identifier for the request; a new one is made when it is absent.',
    { type: 'string', maxLength: 128, pattern: '^[\\x20-\\x7e]*$' },
    'order-4711-1',
    false,
  ),
  'Idempotency-Key': header(
    '1 to 255 characters, also in quotes. For 24 hours the same key and body get the first answer again, and nothing is done twice.',
    { type: 'string', minLength: 1, maxLength: 512 },
    '4f1c7a52-order-4711',
    false,
  ),
  'If-None-Match': header(
    'One or more `ETag`s of earlier answers: if one is still current, the answer is a 304 without a body.',
    TEXT,
    '"7"',
    false,
  ),
  'If-Match': header(
    'One or more `ETag`s of what is decided on or changed: it is done only if that has not changed since. `*` sets no condition.',
    TEXT,
    '"7"',
    false,
  ),
};

const ofPeople = {
  'Intake-Company': header(
    'The company that the request is about, by identifier. A super_admin names it where one is needed; of other people it is their own.',
    TEXT,
    'cmp_01hv6x3m8q2r5t7w9y0a1b2c3d',
    false,
  ),
  'Intake-Mode': header(
    'Of a person’s request: whether it is about live data, the default, or test data. A key has its own mode.',
    { $ref: '#/components/schemas/Mode' },
    'test',
    false,
  ),
  'X-CSRF-Token': header(
    'Required where the session is in a cookie: the `csrfToken` of the log-in, or of `GET /api/auth/me`.',
    TEXT,
    'q0V0QmFzZTY0RXhhbXBsZU9mQUNzcmZUb2tlbkhlcmU',
    false,
  ),
};

const parameterOf = (name: string, object: HeaderObject): ParameterObject => ({
  ...{ name, in: 'header' },
  ...object,
});

/** The headers of requests and of webhook deliveries (webhooks-1), by name. */
export const requestHeaders: OpenApi['components']['parameters'] = Object.fromEntries(
  Object.entries({ ...ofRequest, ...ofPeople, ...ofDelivery }).map(([name, object]) => [
    name,
    parameterOf(name, object),
  ]),
);

/** The headers of deliveries. */
export const deliveryHeaders: Operation['parameters'] = Object.keys(ofDelivery).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));
