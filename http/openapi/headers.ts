import type { HeaderObject, Reference } from './types.ts';

const text = (description: string, example: string, required = true): HeaderObject => ({
  description,
  ...(required ? { required } : {}),
  schema: { type: 'string' },
  example,
});

const seconds = (description: string, required: boolean): HeaderObject => ({
  description,
  ...(required ? { required } : {}),
  schema: { type: 'integer', minimum: 0 },
  example: 1,
});

/** The headers of answers, by their names among the document's components. */
export const headers = {
  'X-Request-Id': text('What the request is called: as it was sent, else made here.', 'order-4711-1'),
  Location: text('Where to ask how it stands.', '/api/v1/jobs/ses_01hv6x3m8q2r5t7w9y0a1b2c3d'),
  ETag: text('The revision, for `If-Match`.', '"7"'),
  'Retry-After': seconds('How many seconds to wait before asking again, while it is not finished.', false),
  'Retry-After-Refused': seconds('How many seconds to wait before trying again.', true),
  RateLimit: text(
    'What is left of the limit, `r`, and for how many seconds, `t`; none where limits are off.',
    '"default";r=99;t=1',
    false,
  ),
  'RateLimit-Policy': text(
    'The limit: `q` requests in `w` seconds a key; none where limits are off.',
    '"default";q=100;w=1',
    false,
  ),
  'Idempotency-Replayed': text(
    'There when it is the first answer to this Idempotency-Key, given again.',
    'true',
    false,
  ),
  'WWW-Authenticate': text('How to authenticate.', 'Bearer'),
} as const satisfies Record<string, HeaderObject>;

export type HeaderKey = keyof typeof headers;

/** The `headers` of an answer, each by reference. */
export const headersOf = (keys: readonly HeaderKey[]): Readonly<Record<string, Reference>> =>
  Object.fromEntries(
    keys.map((key) => [key.replace(/-Refused$/, ''), { $ref: `#/components/headers/${key}` }]),
  );

/** The headers of the rate limit. */
export const rateHeaders: readonly HeaderKey[] = ['RateLimit', 'RateLimit-Policy'];
