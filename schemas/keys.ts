import { MAX_OVERLAP_S } from '../domain/apiKey.ts';
import {
  closed,
  id,
  Mode,
  meaning,
  nullable,
  type Of,
  optional,
  pageOf,
  Time,
  Type,
  text,
  time,
  whole,
} from '../kernel/schema.ts';
import { Name } from './identity.ts';

const keyFacts = {
  id: id('key'),
  name: nullable(Type.String()),
  companyId: nullable(id('cmp')),
  mode: Mode,
};

/** An API key without its secrets. Times in UTC. */
export const ApiKey = Type.Object({
  ...keyFacts,
  createdAt: Time,
  createdBy: text('the user who made it, or `operator`'),
  lastUsedAt: nullable(time('to the minute')),
  revokedAt: nullable(Time),
  expiresAt: nullable(time('from when on it is refused, since it was rotated')),
  replacedBy: nullable(meaning(id('key'), 'the key that replaced it')),
  openSessions: whole('how many of its sessions have not ended; 100 stands for as many and more'),
});

/** The API keys without their secrets (keys-13). */
export const ApiKeys = pageOf(ApiKey);

export type ApiKeys = Of<typeof ApiKeys>;

/** The key of a request (keys-14). */
export const OwnKey = Type.Object({
  ...keyFacts,
  expiresAt: nullable(time('from when on it is refused, since it was rotated')),
});
export type OwnKey = Of<typeof OwnKey>;

/** Which key to make. `companyId` has no default: without a company a key gives access to no submissions. */
export const ApiKeyRequest = closed({
  companyId: nullable(meaning(id('cmp'), 'null for an unscoped key, which a super_admin may make')),
  mode: optional(Mode),
  name: optional(Name),
});

const secrets = {
  key: text('the key, once'),
  webhookSecret: text('what signs the webhooks of its sessions, once'),
  standardWebhooksSecret: text('the same for Standard Webhooks libraries, once'),
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
    }),
  ),
});

/** A key that was rotated, and from when on it is refused. */
export const ReplacedKey = Type.Object({ id: id('key'), expiresAt: Time });

/** The new key, and from when on the old one is refused. */
export const ApiKeyRotated = Type.Object({
  ...ApiKeyMade.properties,
  replaced: ReplacedKey,
});
export type ApiKeyRotated = Of<typeof ApiKeyRotated>;

export const ApiKeyRevoked = Type.Object({ id: id('key'), revokedAt: Time });
