import type { Database, Value } from '../../sqlite/database.ts';
import type { KeyedRow, Row, RowOptions, Tables } from '../port.ts';

/** A change of a row, as a message to the thread that commits it. */
export type Change = Readonly<{ kind: keyof typeof CHANGES; values: readonly Value[] }>;

/**
 * Tables in a SQLite file, in ROWS. `commit` is durable once it resolves, and gives whether a row was
 * changed; another connection makes it.
 */
export const sqliteTables = (database: Database, commit: (change: Change) => Promise<boolean>): Tables => {
  const one = database.texts<[body: string, version: string]>(
    'SELECT body, version FROM rows WHERE kind = ? AND key = ?',
  );
  const many = database.texts<StoredRow>(`${LIST} AND key IN (SELECT value FROM json_each(?))`);
  const next = database.texts<StoredRow>(`${LIST} AND key > ? ORDER BY key LIMIT ?`);
  const dataVersion = database.prepare<[number]>('PRAGMA data_version');
  let version: number | null = null;
  const rowOf = <R>(body: string, version: string): Row<R> => ({
    row: database.json<R>(body),
    version: Number(version),
  });
  return {
    // A statement of its own: a list of one key costs every request a third more.
    read: async <R>(table: string, key: string) => {
      const [found] = one(table, key);
      return found ? rowOf<R>(...found) : null;
    },
    readMany: async <R>(table: string, keys: readonly string[]) =>
      new Map(many(table, JSON.stringify(keys)).map(([key, ...found]) => [key, rowOf<R>(...found)] as const)),
    insert: async (table, key, row) => commit({ kind: 'insert', values: [table, key, JSON.stringify(row)] }),
    replace: async (table, key, version, row) =>
      commit({ kind: 'replace', values: [JSON.stringify(row), table, key, version] }),
    remove: async (table, key, version) => commit({ kind: 'remove', values: [table, key, version] }),
    list: async <R>(table: string, { after = '', limit = -1 }: RowOptions = {}): Promise<KeyedRow<R>[]> =>
      next(table, after, limit).map(([key, ...found]) => ({ key, ...rowOf<R>(...found) })),
    otherCommits: () => {
      if (version !== null) return version;
      setImmediate(() => {
        version = null;
      });
      version = dataVersion.get()?.[0] ?? null;
      return version;
    },
  };
};

/** Commits a batch of changes, durable when it returns; gives which of them changed a row. */
export const changesOf = (database: Database): ((batch: readonly Change[]) => readonly boolean[]) => {
  // A destroyed key must not stay behind in free pages.
  database.exec('PRAGMA secure_delete = ON');
  const statements = {
    insert: database.prepare(CHANGES.insert),
    replace: database.prepare(CHANGES.replace),
    remove: database.prepare(CHANGES.remove),
  };
  return (batch) =>
    database.transaction(() =>
      batch.map(({ kind, values }) => statements[kind].run(...values).changes === 1),
    );
};

type StoredRow = readonly [key: string, body: string, version: string];

/** The table that holds the rows of all tables. */
export const ROWS = `
  CREATE TABLE IF NOT EXISTS rows (
    kind TEXT NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, key)
  )`;
/**
 * The same where no body is large: each is beside its key, so that one page is written, not two. What an
 * older release has made stays as it is.
 */
export const SMALL_ROWS = `${ROWS} WITHOUT ROWID`;
const LIST = 'SELECT key, body, version FROM rows WHERE kind = ?';
const AS_READ = 'WHERE kind = ? AND key = ? AND version = ?';
const CHANGES = {
  insert: 'INSERT INTO rows VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING',
  replace: `UPDATE rows SET version = version + 1, body = ? ${AS_READ}`,
  remove: `DELETE FROM rows ${AS_READ}`,
};
