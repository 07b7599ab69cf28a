import { LeaseLost } from '../../../kernel/errors.ts';
import type { Position } from '../../../kernel/event.ts';
import type { Database } from '../../sqlite/database.ts';
import type { Transact } from '../../sqlite/transactions.ts';
import { snapshot } from '../../sqlite/transactions.ts';
import { pageOf } from '../indexRanges.ts';
import type { Fence, Query, ReadModels, ResultPage, Stored } from '../port.ts';
import type { Collection, Collections } from './collections.ts';
import { tableOf } from './expressions.ts';
import { ensureIndexes } from './indexes.ts';
import { memoize } from './memoize.ts';
import { countStatement, pageStatements } from './query.ts';
import { writerInto } from './writes.ts';

/** Read models in a SQLite file. `holds`: whether a fence is valid, within the transaction of a commit. */
export const sqliteReadModels = (
  database: Database,
  collections: Collections,
  holds: (fence: Fence) => boolean,
  transact: Transact,
): ReadModels => {
  const body = memoize((table) => database.texts<[body: string]>(`SELECT body FROM ${table} WHERE id = ?`));
  const rows = memoize((table) => database.texts<StoredRow>(many(table)));
  const bodies = memoize((sql) => database.texts<[body: string]>(sql));
  const writeAll = writerInto(database, collections);
  const counts = memoize((sql) => database.prepare<[number]>(sql));
  const position = database.texts<[Position]>('SELECT position FROM checkpoints WHERE name = ?');
  const advance = database.prepare(ADVANCE);

  /** What `read` finds in the table of the collection that a name means, or `none` when there is no table. */
  const within = <T>(name: string, none: T, read: (collection: Collection) => T): T =>
    snapshot(database, () => {
      const found = collections.find(name);
      return found ? read(found) : none;
    });
  const pageFrom = <D>(collection: Collection, query: Query): ResultPage<D> => {
    const found: D[] = [];
    for (const { sql, values } of pageStatements(collection, query)) {
      // One more than the limit shows whether there is another page.
      for (const [json] of bodies(sql)(...values, query.limit + 1 - found.length))
        found.push(database.json<D>(json));
      if (found.length > query.limit) break;
    }
    return pageOf(found, query);
  };
  return {
    get: async <D>(name: string, id: string) => {
      const [row] = within(name, [], ({ name: own }) => body(tableOf(own))(id));
      return row?.[0] ? database.json<D>(row[0]) : null;
    },
    getMany: async <D>(name: string, ids: readonly string[]) => {
      const found = within(name, [], ({ name: own }) => rows(tableOf(own))(JSON.stringify(ids)));
      return new Map(
        found.flatMap(([id, , json]) => (json === '' ? [] : [[id, database.json<D>(json)] as const])),
      );
    },
    page: async <D>(name: string, query: Query) =>
      within<ResultPage<D>>(name, { items: [], next: null }, (collection) => pageFrom(collection, query)),
    count: async (name, where = {}, most = -1) =>
      within(name, 0, (collection) => {
        const { sql, values } = countStatement(collection, where);
        return counts(sql).get(...values, most)?.[0] ?? 0;
      }),
    stored: async <D>(collection: string, ids: readonly string[]) => {
      const found = snapshot(database, () =>
        collections.own(collection) ? rows(tableOf(collection))(JSON.stringify(ids)) : [],
      );
      return new Map(found.map((row) => [row[0], stored<D>(database, row)]));
    },
    ensure: (collection, indexes) =>
      transact(() => ensureIndexes(database, collections, collection, indexes)),
    alias: async (name, target, fence) => {
      if (target === undefined) return collections.target(name);
      await transact(() => {
        if (fence && !holds(fence)) throw new LeaseLost(fence.lease);
        collections.point(name, target);
      });
      return target;
    },
    aliases: async (names) => snapshot(database, () => names.map(collections.target)),
    commit: async (writes, checkpoints, fence) => {
      const all = writes.map((write) => ({ write, body: write.document && JSON.stringify(write.document) }));
      await transact(() => {
        if (!holds(fence)) throw new LeaseLost(fence.lease);
        writeAll(all);
        for (const [name, to] of Object.entries(checkpoints)) advance.run(name, to);
      });
    },
    checkpoint: async (name) => position(name)[0]?.[0] ?? null,
    checkpoints: async (names) =>
      snapshot(database, () => names.map((name) => position(name)[0]?.[0] ?? null)),
    drop: (collection) => transact(() => collections.drop(collection)),
  };
};

/** A marker has no body. */
type StoredRow = readonly [id: string, position: Position, body: string];

const stored = <D>(database: Database, [id, position, json]: StoredRow): Stored<D> => ({
  id,
  position,
  document: json === '' ? null : database.json<D>(json),
});

const many = (table: string): string =>
  `SELECT id, position, body FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`;

/** The table of checkpoints. */
export const CHECKPOINTS =
  'CREATE TABLE IF NOT EXISTS checkpoints (name TEXT PRIMARY KEY, position TEXT NOT NULL) WITHOUT ROWID';

const ADVANCE = `
  INSERT INTO checkpoints VALUES (?, ?) ON CONFLICT (name)
  DO UPDATE SET position = excluded.position WHERE position < excluded.position`;
