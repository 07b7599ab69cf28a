import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Mode } from '../kernel/scope.ts';
import type { Tables } from './documents/port.ts';
import { changeRow } from './documents/rows.ts';

/**
 * An API key's row, which alone holds its hash. `expiresAt`: from when on it is refused, since it was
 * rotated; rows of before rotation have none. Times in ISO 8601.
 */
export type KeyRow = Readonly<{
  keyId: string;
  hash: string;
  companyId: string | null;
  mode: Mode;
  revokedAt: string | null;
  expiresAt?: string;
  lastUsedAt: string | null;
}>;

export type Credentials = Readonly<ReturnType<typeof createCredentials>>;

const TABLE = 'apiKeys';
const TOUCH_MS = 60_000;
const MAX_KEPT = 10_000;
/**
 * How long a key that was read is used again where the store can't tell what other processes have changed.
 */
const MAX_AGE_MS = 1_000;

/** The row under a key's hash. */
type Pointer = Readonly<{ keyId: string }>;

/** A row that was read, what `otherCommits` was before, and when (of a timer that nobody sets). */
type Kept = Readonly<{ row: KeyRow; commits: number | null; readAt: number }>;

/** Hex SHA-256 of a key's plaintext; also the text that webhooks are signed with (keys-4, webhooks-2). */
export const hashKey = (plaintext: string): string => hash('sha256', plaintext);

/**
 * The table `apiKeys`: rows by key identifier, and beside each a pointer by hash. Rows are kept in memory; a
 * key is refused everywhere once `revoke` has resolved (decision 46).
 */
export const createCredentials = (tables: Tables, maxAgeMs = MAX_AGE_MS) => {
  // `max` would allocate all entries at once.
  const kept = new LRUCache<string, Kept>({ maxSize: MAX_KEPT, sizeCalculation: () => 1 });
  const isCurrent = ({ commits, readAt }: Kept): boolean =>
    commits === null ? performance.now() - readAt < maxAgeMs : commits === tables.otherCommits();
  const byId = async (keyId: string): Promise<KeyRow | null> =>
    (await tables.read<KeyRow>(TABLE, keyId))?.row ?? null;
  const change = async (keyId: string, next: (row: KeyRow) => KeyRow | null): Promise<KeyRow | null> => {
    const row = await changeRow<KeyRow>(tables, TABLE, keyId, (found) => found && next(found));
    if (row) kept.delete(row.hash);
    return row;
  };

  return {
    byId,
    /** The rows of these keys, in one read. */
    byIds: async (keyIds: readonly string[]): Promise<ReadonlyMap<string, KeyRow>> => {
      const rows = await tables.readMany<KeyRow>(TABLE, keyIds);
      return new Map([...rows].map(([keyId, { row }]) => [keyId, row]));
    },
    /** Adds a key; it can be used at once. */
    add: async (row: KeyRow): Promise<void> => {
      await tables.insert(TABLE, row.keyId, row);
      await tables.insert(TABLE, pointer(row.hash), { keyId: row.keyId });
    },
    /** The key whose plaintext has this hash, null when there is none. */
    byHash: async (hash: string): Promise<KeyRow | null> => {
      const known = kept.get(hash);
      if (known && isCurrent(known)) return known.row;
      const before = { commits: tables.otherCommits(), readAt: performance.now() };
      const keyId = known?.row.keyId ?? (await tables.read<Pointer>(TABLE, pointer(hash)))?.row.keyId;
      const row = keyId === undefined ? null : await byId(keyId);
      if (row) kept.set(hash, { row, ...before });
      return row;
    },
    /** Refuses the key: once this has resolved, everywhere; false when there is none. */
    revoke: async (keyId: string, at: string): Promise<boolean> => {
      const revoked = await change(keyId, (row) =>
        row.revokedAt === null ? { ...row, revokedAt: at } : null,
      );
      if (revoked && tables.otherCommits() === null) await sleep(maxAgeMs);
      return revoked !== null;
    },
    /**
     * Refuses the key from `expiresAt` (ISO 8601) on: once this has resolved, every node knows it. The first
     * such time stays.
     */
    expire: async (keyId: string, expiresAt: string): Promise<void> => {
      let isChanged = false;
      await change(keyId, (row) => {
        isChanged = row.expiresAt === undefined;
        return isChanged ? { ...row, expiresAt } : null;
      });
      if (isChanged && tables.otherCommits() === null) await sleep(maxAgeMs);
    },
    /** Notes that the key was used, at most once in 60 s (keys-5). */
    touch: async (key: KeyRow, at: Date): Promise<void> => {
      const lastUsedAt = at.toISOString();
      await change(key.keyId, (row) => (isUnrecorded(row, at) ? { ...row, lastUsedAt } : null));
    },
  };
};

/** Whether a key that was rotated is no longer valid. */
export const isExpired = ({ expiresAt }: KeyRow, at: Date): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= at.getTime();

/** Whether a use now is to be noted: the last one that was is 60 s old. */
export const isUnrecorded = ({ lastUsedAt }: KeyRow, at: Date): boolean =>
  lastUsedAt === null || at.getTime() - Date.parse(lastUsedAt) >= TOUCH_MS;

const pointer = (hash: string): string => `hash:${hash}`;
