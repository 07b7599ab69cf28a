import { randomBytes, randomFillSync } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { decrypt, encrypt } from '../../kernel/sealing.ts';
import type { Tables } from '../documents/port.ts';
import { changeRow } from '../documents/rows.ts';

export type SubjectKeys = Readonly<ReturnType<typeof subjectKeys>>;

/** `elapsedMs`: a monotonic time, independent of the machine's clock. */
type Options = Readonly<{ tables: Tables; masterKey: Uint8Array; elapsedMs?: () => number }>;
type KeyRow = Readonly<{ wrapped: string } | { destroyed: true }>;
/** `key`: null once it has been destroyed. */
type Entry = Readonly<{ key: Uint8Array | null }>;

const TABLE = 'subjectKeys';
const KEY_BYTES = 32;
const CACHED_KEYS = 10_000;
const CACHED_MS = 10_000;

/**
 * The keys that seal private parts, one per subject (32 bytes each): in the table `subjectKeys`, wrapped by
 * the master key (32 bytes), which must never change.
 */
export const subjectKeys = ({ tables, masterKey, elapsedMs = () => performance.now() }: Options) => {
  if (masterKey.length !== KEY_BYTES) throw new Error(`MASTER_KEY has ${masterKey.length} bytes, not 32`);
  const cache = new LRUCache<string, Entry>({
    maxSize: CACHED_KEYS, // `max` would allocate all entries at once
    sizeCalculation: () => 1,
    ttl: CACHED_MS,
    ttlResolution: 0,
    perf: { now: elapsedMs },
  });

  const keep = (subject: string, key: Entry['key']): Entry => {
    const destroyed = cache.get(subject);
    if (destroyed?.key === null) return destroyed; // while the row was on its way
    const entry = { key };
    cache.set(subject, entry);
    return entry;
  };
  const remember = (subject: string, row: KeyRow): Entry =>
    keep(subject, 'wrapped' in row ? unwrap(masterKey, subject, row.wrapped) : null);
  const read = async (subject: string): Promise<Entry | null> => {
    const found = await tables.read<KeyRow>(TABLE, subject);
    return found && remember(subject, found.row);
  };
  const create = async (subject: string): Promise<Entry> => {
    const key = randomFillSync(new Uint8Array(KEY_BYTES));
    const row = { wrapped: encrypt(masterKey, randomBytes(12), contextOf(subject), key) };
    if (await tables.insert(TABLE, subject, row)) return keep(subject, key);
    const winner = await read(subject);
    if (!winner) throw new Error(`the key of ${subject} was made and is not there`);
    return winner;
  };

  return {
    /**
     * A subject's key, made on first use; null once it has been destroyed, for no second one is ever made.
     * `isNew`: there is probably none yet, so that no read comes first.
     */
    obtain: async (subject: string, isNew = false): Promise<Uint8Array | null> =>
      (cache.get(subject) ?? (isNew ? null : await read(subject)) ?? (await create(subject))).key,
    /** The keys of those subjects that have one. */
    find: async (subjects: Iterable<string>): Promise<ReadonlyMap<string, Uint8Array>> => {
      const found = new Map<string, Uint8Array>();
      const missing: string[] = [];
      const add = (subject: string, { key }: Entry): void => {
        if (key) found.set(subject, key);
      };
      for (const subject of subjects) {
        const cached = cache.get(subject);
        if (cached) add(subject, cached);
        else missing.push(subject);
      }
      if (missing.length === 0) return found;
      const rows = await tables.readMany<KeyRow>(TABLE, missing);
      for (const [subject, { row }] of rows) add(subject, remember(subject, row));
      return found;
    },
    /** Redacts a subject for ever: this process notices at once, others within 10 s. */
    destroy: async (subject: string): Promise<void> => {
      // The marker replaces the key, so that no new one is made.
      await changeRow<KeyRow>(tables, TABLE, subject, (row) =>
        row && 'destroyed' in row ? null : { destroyed: true },
      );
      cache.set(subject, { key: null });
    },
  };
};

const unwrap = (masterKey: Uint8Array, subject: string, wrapped: string): Uint8Array => {
  try {
    // A copy: the 32 bytes alone are kept, not the 8 KB of Node's pool that they were decrypted in.
    return Uint8Array.from(decrypt(masterKey, contextOf(subject), wrapped));
  } catch (cause) {
    throw new Error(`MASTER_KEY does not open the key of ${subject}: it is not the one it was made with`, {
      cause,
    });
  }
};

const contextOf = (subject: string): string => `subject key of ${subject}`;
