import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Mode } from '../kernel/scope.ts';
import type { Tables } from './documents/port.ts';
import { changeRow } from './documents/rows.ts';

/** An API key's row, which alone holds its hash. Times in ISO 8601. */
export type KeyRow = Readonly<{
  keyId: string;
  hash: string;
  companyId: string | null;
  mode: Mode;
  revokedAt: string | null;
  lastUsedAt: string | null;
}>;

export type Credentials = Readonly<ReturnType<typeof createCredentials>>;

const TABLE = 'apiKeys';
const TOUCH_MS = 60_000;
const CACHED_KEYS = 10_000;

/** The row under a key's hash. */
type Pointer = Readonly<{ keyId: string }>;

/** Hex SHA-256 of a key's plaintext; also the text that webhooks are signed with (keys-4, webhooks-2). */
export const hashKey = (plaintext: string): string => createHash('sha256').update(plaintext).digest('hex');

/** The table `apiKeys`: rows by key identifier, and beside each a pointer by hash. */
export const createCredentials = (tables: Tables) => {
  // Which key a hash is never changes; whether it may be used is read each time.
  // `max` would allocate all entries at once.
  const keyIds = new LRUCache<string, string>({ maxSize: CACHED_KEYS, sizeCalculation: () => 1 });
  const hashes = new LRUCache<string, string>({ maxSize: CACHED_KEYS, sizeCalculation: () => 1 });
  const byId = async (keyId: string): Promise<KeyRow | null> =>
    (await tables.read<KeyRow>(TABLE, keyId))?.row ?? null;

  const change = (keyId: string, next: (row: KeyRow) => KeyRow | null): Promise<KeyRow | null> =>
    changeRow<KeyRow>(tables, TABLE, keyId, (row) => row && next(row));

  return {
    byId,
    /** A key's hash, of a revoked one too (webhooks-21); null when there is no such key. It never changes. */
    hashOf: async (keyId: string): Promise<string | null> => {
      const hash = hashes.get(keyId) ?? (await byId(keyId))?.hash ?? null;
      if (hash !== null) hashes.set(keyId, hash);
      return hash;
    },
    /** Adds a key; it can be used at once. */
    add: async (row: KeyRow): Promise<void> => {
      await tables.insert(TABLE, row.keyId, row);
      await tables.insert(TABLE, pointer(row.hash), { keyId: row.keyId });
    },
    /** The key whose plaintext has this hash, null when there is none. */
    byHash: async (hash: string): Promise<KeyRow | null> => {
      const keyId = keyIds.get(hash) ?? (await tables.read<Pointer>(TABLE, pointer(hash)))?.row.keyId;
      if (keyId === undefined) return null;
      keyIds.set(hash, keyId);
      return byId(keyId);
    },
    /** Refuses the key from now on; false when there is none. */
    revoke: async (keyId: string, at: string): Promise<boolean> =>
      (await change(keyId, (row) => (row.revokedAt === null ? { ...row, revokedAt: at } : null))) !== null,
    /** Notes that the key was used, at most once in 60 s (keys-5). */
    touch: async (key: KeyRow, at: Date): Promise<void> => {
      if (recent(key, at)) return;
      await change(key.keyId, (row) => (recent(row, at) ? null : { ...row, lastUsedAt: at.toISOString() }));
    },
  };
};

const recent = ({ lastUsedAt }: KeyRow, at: Date): boolean =>
  lastUsedAt !== null && at.getTime() - Date.parse(lastUsedAt) < TOUCH_MS;

const pointer = (hash: string): string => `hash:${hash}`;
