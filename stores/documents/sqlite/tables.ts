import type { Database } from '../../sqlite/database.ts';
import type { Transact } from '../../sqlite/transactions.ts';
import type { KeyedRow, Row, RowOptions, Tables } from '../port.ts';

/** Tables in a SQLite file, in ROWS. `transact` is durable once it resolves. */
export const sqliteTables = (database: Database, transact: Transact): Tables => {
  const one = database.texts<[body: string, version: string]>(
    'SELECT body, version FROM rows WHERE kind = ? AND key = ?',
  );
  const many = database.texts<StoredRow>(`${LIST} AND key IN (SELECT value FROM json_each(?))`);
  const next = database.texts<StoredRow>(`${LIST} AND key > ? ORDER BY key LIMIT ?`);
  const insert = database.prepare('INSERT INTO rows VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING');
  const replace = database.prepare(`UPDATE rows SET version = version + 1, body = ? ${AS_READ}`);
  const remove = database.prepare(`DELETE FROM rows ${AS_READ}`);
  const dataVersion = database.prepare<[number]>('PRAGMA data_version');
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
    insert: async (table, key, row) => {
      const body = JSON.stringify(row);
      return transact(() => insert.run(table, key, body).changes === 1);
    },
    replace: async (table, key, version, row) => {
      const body = JSON.stringify(row);
      return transact(() => replace.run(body, table, key, version).changes === 1);
    },
    remove: (table, key, version) => transact(() => remove.run(table, key, version).changes === 1),
    list: async <R>(table: string, { after = '', limit = -1 }: RowOptions = {}): Promise<KeyedRow<R>[]> =>
      next(table, after, limit).map(([key, ...found]) => ({ key, ...rowOf<R>(...found) })),
    otherCommits: () => dataVersion.get()?.[0] ?? null,
  };
};

type StoredRow = readonly [key: string, body: string, version: string];

/** The table that holds the rows of all tables. */
export const ROWS = `
  CREATE TABLE IF NOT EXISTS rows (
    kind TEXT NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, key)
  )`;
const LIST = 'SELECT key, body, version FROM rows WHERE kind = ?';
const AS_READ = 'WHERE kind = ? AND key = ? AND version = ?';
