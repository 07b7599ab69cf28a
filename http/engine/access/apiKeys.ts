import { type Credentials, hashKey, type KeyRow } from '../../../stores/credentials.ts';
import { Problem } from '../problems/problem.ts';

/** Whose request it is. */
export type Caller = Pick<KeyRow, 'keyId' | 'companyId' | 'mode'>;
export type CompanyCaller = Caller & Readonly<{ companyId: string }>;

/** What of the table of keys a request needs. */
export type Keys = Pick<Credentials, 'byHash' | 'touch'>;

const BEARER = /^bearer +(\S+)$/i;
const KEY = /^aok_[0-9a-f]{64}$/;

/** What an Authorization header bears (RFC 6750), empty when that is nothing. */
export const bearerOf = (header: string | undefined): string => BEARER.exec(header ?? '')?.[1] ?? '';

/** The key that an Authorization header names (keys-1), null for an unknown or malformed one. */
export const recognise = async (header: string | undefined, keys: Keys): Promise<KeyRow | null> => {
  const key = bearerOf(header);
  return KEY.test(key) ? keys.byHash(hashKey(key)) : null;
};

/** The caller with a key. Throws 403 for a revoked one. */
export const admitted = ({ keyId, companyId, mode, revokedAt }: KeyRow): Caller => {
  if (revokedAt !== null) throw new Problem('key-revoked');
  return { keyId, companyId, mode };
};

/** The caller, if the key belongs to a company. Throws 403 for an unscoped key. */
export const inCompany = (caller: Caller): CompanyCaller => {
  const { companyId } = caller;
  if (companyId === null) throw new Problem('company-required');
  return { ...caller, companyId };
};

/** The 401 for a missing or invalid credential; `http/engine/access/credentialFault.ts` writes its `detail`. */
export const unauthorized = (detail: string): Problem =>
  new Problem('unauthorized', detail, { headers: { 'WWW-Authenticate': 'Bearer' } });
