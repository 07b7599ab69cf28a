import { MAX_OVERLAP_S } from '../domain/apiKey.ts';
import {
  closed,
  example,
  id,
  Mode,
  meaning,
  nullable,
  type Of,
  optional,
  pageOf,
  seldom,
  Time,
  Type,
  text,
  time,
  times,
  whole,
} from '../kernel/schema.ts';
import { Name } from './identity.ts';

const keyFacts = {
  id: id('key'),
  name: nullable(example(Type.String(), 'ERP')),
  companyId: nullable(id('cmp')),
  mode: Mode,
};

/** An API key without its secrets. Times in UTC. */
export const ApiKey = Type.Object({
  ...keyFacts,
  createdAt: example(Time, times.made),
  createdBy: text('the user who made it, or `operator`', 'usr_01hv6x3m8q2r5t7w9y0a1b2c3d'),
  lastUsedAt: nullable(time('to the minute')),
  revokedAt: seldom(Time),
  expiresAt: seldom(time('from when on it is refused, since it was rotated')),
  replacedBy: seldom(meaning(id('key'), 'the key that replaced it')),
  openSessions: whole('how many of its sessions have not ended; 100 stands for as many and more', 3),
});

/** The API keys without their secrets (keys-13). */
export const ApiKeys = pageOf(ApiKey);

export type ApiKeys = Of<typeof ApiKeys>;

/** The key of a request (keys-14). */
export const OwnKey = Type.Object({
  ...keyFacts,
  expiresAt: seldom(time('from when on it is refused, since it was rotated')),
});
export type OwnKey = Of<typeof OwnKey>;

/** Which key to make. `companyId` has no default: without a company a key gives access to no submissions. */
export const ApiKeyRequest = closed({
  companyId: nullable(meaning(id('cmp'), 'null for an unscoped key, which a super_admin may make')),
  mode: optional(Mode),
  name: optional(example(Name, 'ERP')),
});

const SECRET = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const secrets = {
  key: text('the key, once', `aok_${SECRET}`),
  webhookSecret: text('what signs the webhooks of its sessions, once', SECRET),
  standardWebhooksSecret: text(
    'the same for Standard Webhooks libraries, once',
    'whsec_OWY4NmQwODE4ODRjN2Q2NTlhMmZlYWEwYzU1YWQwMTVhM2JmNGYxYjJiMGI4MjJjZDE1ZDZjMTViMGYwMGEwOA==',
  ),
};

export const ApiKeyMade = Type.Object({ ...keyFacts, ...secrets });
export type ApiKeyMade = Of<typeof ApiKeyMade>;

/** How long both keys work: one day by default. */
export const RotateApiKey = closed({
  overlapSeconds: optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_OVERLAP_S,
      description: 'how long the old key goes on working; 0 revokes it at once; 86400 by default',
      examples: [86_400],
    }),
  ),
});

/** A key that was rotated, and from when on it is refused. */
export const ReplacedKey = Type.Object({
  id: example(id('key'), 'key_01hv6wzr5t7v9x1z3b5d7f9h1k'),
  expiresAt: example(Time, times.expires),
});

/** The new key, and from when on the old one is refused. */
export const ApiKeyRotated = Type.Object({
  ...ApiKeyMade.properties,
  replaced: ReplacedKey,
});
export type ApiKeyRotated = Of<typeof ApiKeyRotated>;

export const ApiKeyRevoked = Type.Object({ id: id('key'), revokedAt: Time });
