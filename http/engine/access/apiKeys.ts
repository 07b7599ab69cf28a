import type { Clock } from '../../../kernel/clock.ts';
import { StoreUnavailable } from '../../../kernel/errors.ts';
import { type Credentials, hashKey, isUnrecorded, type KeyRow } from '../../../stores/credentials.ts';
import type { Context } from '../koa.ts';
import type { Observer } from '../observer.ts';
import { Problem } from '../problems/problem.ts';
import { setHeaders } from '../send.ts';
import { apiKey, bearerOf, credentialFault, unauthorized } from './credentials.ts';
import type { RateLimits } from './rateLimits.ts';

export type Caller = Pick<KeyRow, 'keyId' | 'companyId' | 'mode'>;
export type CompanyCaller = Caller & Readonly<{ companyId: string }>;

export type KeyAdmission = Readonly<{
  keys: Pick<Credentials, 'byHash' | 'touch'>;
  clock: Clock;
  observer: Observer;
  /** The parts of the service that are unavailable. */
  unavailableParts(): readonly string[];
  rateLimits: RateLimits;
}>;

const KEY = /^aok_[0-9a-f]{64}$/;

/**
 * The caller of a request's API key (keys-1). Throws 401 for a missing, unknown or malformed key, 403 for a
 * revoked one, 429, and 403 for an unscoped key where one of a company is needed.
 */
export const admitKey = async (
  ctx: Context,
  address: () => string,
  access: 'company' | 'anyKey',
  admission: KeyAdmission,
): Promise<Caller> => {
  const { keys, rateLimits } = admission;
  const { headers } = ctx.req;
  const key = bearerOf(headers.authorization);
  const row = KEY.test(key) ? await keys.byHash(hashKey(key)) : null;
  // A valid key always passes: failures of others behind the same address must not block it.
  if (row === null)
    throw await unauthorized(rateLimits.authFailures, address, credentialFault(apiKey, headers));
  const { keyId, companyId, mode, revokedAt } = row;
  ctx.state.keyId = keyId;
  if (revokedAt !== null) throw new Problem('key-revoked');
  if (isUnrecorded(row, admission.clock.now())) await recordUse(ctx, row, admission);
  const counted = rateLimits.request(keyId);
  setHeaders(ctx, counted.headers);
  if (access === 'company' && companyId === null) throw new Problem('company-required');
  if (counted.refusal) throw counted.refusal;
  return { keyId, companyId, mode };
};

/** A read goes on while nothing can be written: the key was found all the same. */
const recordUse = async (
  { method, state }: Context,
  row: KeyRow,
  { keys, clock, observer, unavailableParts }: KeyAdmission,
): Promise<void> => {
  if (unavailableParts().includes('documents')) return;
  try {
    await keys.touch(row, clock.now());
  } catch (error) {
    if (method !== 'GET' || !(error instanceof StoreUnavailable)) throw error;
    observer.failed(error, state.requestId);
  }
};
