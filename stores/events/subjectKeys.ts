import { randomFillSync } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Tables } from '../documents/port.ts';
import { changeRow } from '../documents/rows.ts';
import type { Keyring, Purpose, SealedTable } from '../keyring/keyring.ts';
import { enterForgotten, type Forgotten } from '../ledger.ts';

export type SubjectKeys = Readonly<ReturnType<typeof subjectKeys>>;

/** `elapsedMs`: a monotonic time, independent of the machine's clock. */
type Options = Readonly<{ tables: Tables; keyring: Keyring; elapsedMs?: () => number }>;
type KeyRow = Readonly<{ wrapped: string } | { destroyed: true }>;
/** `key`: null once it has been destroyed. */
type Entry = Readonly<{ key: Uint8Array | null }>;

const TABLE = 'subjectKeys';
const KEY_BYTES = 32;
const CACHED_KEYS = 10_000;
/** How long a process may keep a key in its memory after another one has destroyed it. */
export const CACHED_MS = 10_000;

/**
 * The keys that seal private parts, one per subject (32 bytes each): in the table `subjectKeys`, each wrapped
 * by a key of the keyring.
 */
export const subjectKeys = ({ tables, keyring, elapsedMs = () => performance.now() }: Options) => {
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
    keep(subject, 'wrapped' in row ? openKey(keyring, subject, row.wrapped) : null);
  const read = async (subject: string): Promise<Entry | null> => {
    const found = await tables.read<KeyRow>(TABLE, subject);
    if (!found) return null;
    await keyring.learn(wrappedIn([found.row]));
    return remember(subject, found.row);
  };
  const create = async (subject: string): Promise<Entry> => {
    const key = randomFillSync(new Uint8Array(KEY_BYTES));
    const row = { wrapped: await keyring.seal(PURPOSE, subject, key) };
    if (await tables.insert(TABLE, subject, row)) return keep(subject, key);
    const winner = await read(subject);
    if (!winner) throw new Error(`the key of ${subject} was made and is not there`);
    return winner;
  };

  const undestroyed = async (subjects: readonly string[]): Promise<ReadonlySet<string>> => {
    const rows = await tables.readMany<KeyRow>(TABLE, subjects);
    return new Set(subjects.filter((subject) => !('destroyed' in (rows.get(subject)?.row ?? {}))));
  };
  const mark = async (subject: string): Promise<void> => {
    // The marker replaces the key, so that no new one is made.
    await changeRow<KeyRow>(tables, TABLE, subject, (row) =>
      row && 'destroyed' in row ? null : { destroyed: true },
    );
    cache.set(subject, { key: null });
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
      await keyring.learn(wrappedIn([...rows.values()].map(({ row }) => row)));
      for (const [subject, { row }] of rows) add(subject, remember(subject, row));
      return found;
    },
    /**
     * Redacts a subject for ever: this process notices at once, others within 10 s. `cause`: when (ISO 8601),
     * and by which event. It is in the ledger first, by which a restored key is destroyed again.
     */
    destroy: async (subject: string, cause: Omit<Forgotten, 'subject'>): Promise<void> => {
      if ((await undestroyed([subject])).size > 0) await enterForgotten(tables, { subject, ...cause });
      await mark(subject);
    },
    /** Which of these subjects have not been destroyed. */
    undestroyed,
    /** Destroys the keys of subjects that the ledger has already. */
    destroyAgain: async (subjects: readonly string[]): Promise<void> => {
      await Promise.all(subjects.map(mark));
    },
  };
};

const wrappedIn = (rows: readonly KeyRow[]): readonly string[] =>
  rows.flatMap((row) => ('wrapped' in row ? row.wrapped : []));

const openKey = (keyring: Keyring, subject: string, wrapped: string): Uint8Array => {
  try {
    // A copy: the 32 bytes alone are kept, not the 8 KB of Node's pool that they were decrypted in.
    return Uint8Array.from(keyring.open(PURPOSE, subject, wrapped));
  } catch (cause) {
    throw new Error(`the key of ${subject} does not open: it was not sealed by these wrapping keys`, {
      cause,
    });
  }
};

const PURPOSE: Purpose = { keyOf: (by) => by, contextOf: (subject) => `subject key of ${subject}` };

/** The rows of `subjectKeys`, for a rotation. */
export const sealedSubjectKeys: SealedTable<KeyRow> = {
  table: TABLE,
  reseal: async (keyring, subject, row) => {
    const wrapped = 'wrapped' in row ? await keyring.reseal(PURPOSE, subject, row.wrapped) : null;
    return wrapped === null ? null : { wrapped };
  },
};
