import type { Database } from '../../sqlite/database.ts';
import type { Row, Tables } from '../port.ts';

type Keyed<R> = Readonly<{ key: string; row: R; version: number }>;

/** A change, and whether it found what it was to change. */
export type Change = () => boolean;

/** Tables in a SQLite file, in ROWS. `write` runs a change in a transaction, durable once it resolves. */
export const sqliteTables = (database: Database, write: (change: Change) => Promise<boolean>): Tables => {
  const one = database.texts<[body: string, version: string]>(
    'SELECT body, version FROM rows WHERE kind = ? AND key = ?',
  );
  const many = database.texts<KeyedRow>(`${LIST} AND key IN (SELECT value FROM json_each(?))`);
  const first = database.texts<KeyedRow>(`${LIST} ${END}`);
  const next = database.texts<KeyedRow>(`${LIST} AND key > ? ${END}`);
  const insert = database.prepare('INSERT INTO rows VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING');
  const replace = database.prepare(`UPDATE rows SET version = version + 1, body = ? ${AS_READ}`);
  const remove = database.prepare(`DELETE FROM rows ${AS_READ}`);
  const keyed = <R>([key, body, version]: KeyedRow): Keyed<R> => ({
    key,
    row: database.json<R>(body),
    version: Number(version),
  });
  return {
    read: async <R>(table: string, key: string): Promise<Row<R> | null> => {
      const [found] = one(table, key);
      return found ? { row: database.json<R>(found[0]), version: Number(found[1]) } : null;
    },
    readMany: async <R>(table: string, keys: readonly string[]): Promise<ReadonlyMap<string, Row<R>>> => {
      const found = many(table, JSON.stringify(keys)).map(keyed<R>);
      return new Map(found.map(({ key, row, version }) => [key, { row, version }]));
    },
    insert: async (table, key, row) => {
      const body = JSON.stringify(row);
      return write(() => insert.run(table, key, body).changes === 1);
    },
    replace: async (table, key, version, row) => {
      const body = JSON.stringify(row);
      return write(() => replace.run(body, table, key, version).changes === 1);
    },
    remove: (table, key, version) => write(() => remove.run(table, key, version).changes === 1),
    list: async <R>(table: string, { after, limit = -1 }: ListOptions = {}): Promise<readonly Keyed<R>[]> => {
      const found = after === undefined ? first(table, limit) : next(table, after, limit);
      return found.map(keyed<R>);
    },
  };
};

type ListOptions = Readonly<{ after?: string; limit?: number }>;
type KeyedRow = readonly [key: string, body: string, version: string];

/** The table that holds the rows of all tables. */
export const ROWS = `
  CREATE TABLE IF NOT EXISTS rows (
    kind TEXT NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, key)
  )`;
const LIST = 'SELECT key, body, version FROM rows WHERE kind = ?';
const END = 'ORDER BY key LIMIT ?';
const AS_READ = 'WHERE kind = ? AND key = ? AND version = ?';
