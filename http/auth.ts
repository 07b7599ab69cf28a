import { hash } from 'node:crypto';
import type { Mode } from '../domain/kernel.ts';
import { Problem } from './problem.ts';

/** An API key as its table has it; never the key itself. Times in ISO 8601. */
export type KeyRecord = Readonly<{
  keyId: string;
  companyId: string | null;
  mode: Mode;
  revokedAt: string | null;
  lastUsedAt: string | null;
}>;

/** Whose request it is. */
export type Caller = Readonly<{ keyId: string; companyId: string | null; mode: Mode }>;
export type CompanyCaller = Caller & Readonly<{ companyId: string }>;

/**
 * The table of keys, by the lower-case hex SHA-256 of the key. `touchKey` writes lastUsedAt before it resolves, and only while the stored one
 * is still older than a minute, so that requests at the same moment write once.
 */
export type Keys = Readonly<{
  findKey(hash: string): Promise<KeyRecord | null>;
  touchKey(hash: string, at: Date): Promise<void>;
}>;

const HEADER = /^bearer +(aok_[0-9a-f]{64})$/i;
const KEY = /^aok_[0-9a-f]{64}$/;
const TOUCH_MS = 60_000;

/**
 * The caller that an Authorization header names (contract, section 5.1). Throws 401 for an unknown or malformed key, 403 for a
 * revoked one. Updates lastUsedAt, at most once in 60 seconds, before it resolves.
 */
export const authenticate = async (header: string | undefined, keys: Keys, now: Date): Promise<Caller> => {
  const key = HEADER.exec(header ?? '')?.[1];
  if (!key || !KEY.test(key)) throw unauthorized();
  const keyHash = hash('sha256', key, 'hex');
  const record = await keys.findKey(keyHash);
  if (!record) throw unauthorized();
  if (record.revokedAt !== null) throw new Problem('key-revoked');
  if (isDue(record.lastUsedAt, now)) await keys.touchKey(keyHash, now);
  const { keyId, companyId, mode } = record;
  return { keyId, companyId, mode };
};

/** The caller, if the key belongs to a company. Throws 403 for an unscoped key. */
export const inCompany = (caller: Caller): CompanyCaller => {
  const { companyId } = caller;
  if (companyId === null) throw new Problem('company-required');
  return { ...caller, companyId };
};

const isDue = (lastUsedAt: string | null, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - Date.parse(lastUsedAt) >= TOUCH_MS;

const unauthorized = (): Problem =>
  new Problem('unauthorized', undefined, { headers: { 'WWW-Authenticate': 'Bearer' } });
