import type { Database } from '../../sqlite/database.ts';
import type { KeyedRow, Row, RowOptions, Tables } from '../port.ts';

/** A change, and whether it found what it was to change. */
export type Change = () => boolean;

/** Tables in a SQLite file, in ROWS. `write` runs a change in a transaction, durable once it resolves. */
export const sqliteTables = (database: Database, write: (change: Change) => Promise<boolean>): Tables => {
  const many = database.texts<StoredRow>(`${LIST} AND key IN (SELECT value FROM json_each(?))`);
  const next = database.texts<StoredRow>(`${LIST} AND key > ? ORDER BY key LIMIT ?`);
  const insert = database.prepare('INSERT INTO rows VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING');
  const replace = database.prepare(`UPDATE rows SET version = version + 1, body = ? ${AS_READ}`);
  const remove = database.prepare(`DELETE FROM rows ${AS_READ}`);
  const readMany = async <R>(table: string, keys: readonly string[]): Promise<ReadonlyMap<string, Row<R>>> =>
    new Map(
      many(table, JSON.stringify(keys)).map(([key, body, version]) => [
        key,
        { row: database.json<R>(body), version: Number(version) },
      ]),
    );
  return {
    read: async <R>(table: string, key: string) => (await readMany<R>(table, [key])).get(key) ?? null,
    readMany,
    insert: async (table, key, row) => {
      const body = JSON.stringify(row);
      return write(() => insert.run(table, key, body).changes === 1);
    },
    replace: async (table, key, version, row) => {
      const body = JSON.stringify(row);
      return write(() => replace.run(body, table, key, version).changes === 1);
    },
    remove: (table, key, version) => write(() => remove.run(table, key, version).changes === 1),
    list: async <R>(table: string, { after = '', limit = -1 }: RowOptions = {}): Promise<KeyedRow<R>[]> =>
      next(table, after, limit).map(([key, body, version]) => ({
        key,
        row: database.json<R>(body),
        version: Number(version),
      })),
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
