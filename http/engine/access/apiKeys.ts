import type { Permission } from '../../../domain/permissions.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { type Credentials, hashKey, isExpired, isUnrecorded } from '../../../stores/credentials.ts';
import type { Context } from '../koa.ts';
import { Problem } from '../problems/problem.ts';
import { setHeaders } from '../send.ts';
import type { KeyCaller } from './caller.ts';
import { apiKey, bearerOf, credentialFault, unauthorized } from './credentials.ts';
import type { RateLimits } from './rateLimits.ts';
import { type Recording, recordUse } from './recordUse.ts';

export type KeyAdmission = Recording &
  Readonly<{
    keys: Pick<Credentials, 'byHash' | 'touch'>;
    clock: Clock;
    rateLimits: RateLimits;
  }>;

const KEY = /^aok_[0-9a-f]{64}$/;

/**
 * The caller of a request's API key (keys-1). Throws 401 for a missing, unknown or malformed key, 403 for a
 * revoked or expired one, 429, and 403 for an unscoped key where one of a company is needed.
 */
export const admitKey = async (
  ctx: Context,
  address: () => string,
  { scope }: Permission,
  admission: KeyAdmission,
): Promise<KeyCaller> => {
  const { keys, clock, rateLimits } = admission;
  const { headers } = ctx.req;
  const key = bearerOf(headers.authorization);
  const row = KEY.test(key) ? await keys.byHash(hashKey(key)) : null;
  // A valid key always passes: failures of others behind the same address must not block it.
  if (row === null)
    throw await unauthorized(
      rateLimits.failures.credential,
      address,
      headers,
      credentialFault(apiKey, headers),
    );
  const { keyId, companyId, mode, revokedAt } = row;
  ctx.state.keyId = keyId;
  if (revokedAt !== null) throw new Problem('key-revoked');
  const now = clock.now();
  if (isExpired(row, now)) throw new Problem('key-expired');
  if (isUnrecorded(row, now)) await recordUse(ctx, () => keys.touch(row, now), admission);
  const counted = rateLimits.request(keyId);
  setHeaders(ctx, counted.headers);
  if (scope === 'company' && companyId === null) throw new Problem('company-required');
  if (counted.refusal) throw counted.refusal;
  return { kind: 'key', keyId, companyId, mode };
};
