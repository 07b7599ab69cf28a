import type { Position } from '../../../kernel/event.ts';
import type { Database } from '../../sqlite/database.ts';
import type { Transact } from '../../sqlite/transactions.ts';
import { snapshot } from '../../sqlite/transactions.ts';
import { pageOf } from '../indexRanges.ts';
import type { Fence, Query, ReadModels, ResultPage, Stored } from '../port.ts';
import { sqliteAnswers } from './answers.ts';
import { type Collection, type Collections, tableOf } from './collections.ts';
import { ensureIndexes } from './indexes.ts';
import { memoize } from './memoize.ts';
import { countStatement, pageStatements } from './query.ts';
import { sharedReads } from './reads.ts';
import { writerInto } from './writes.ts';

/**
 * Read models in a SQLite file. `check` throws `LeaseLost` for a stale fence, within a transaction; changes
 * of the schema have transactions of their own, `transactAlone`.
 */
export const sqliteReadModels = (
  database: Database,
  collections: Collections,
  check: (fence: Fence) => void,
  transact: Transact,
  transactAlone: Transact,
): ReadModels => {
  const values = memoize((sql) => database.texts<[string]>(sql));
  const rows = memoize((table) => database.texts<StoredRow>(many(table)));
  const writeAll = writerInto(database, collections);
  const position = database.texts<[Position]>('SELECT position FROM checkpoints WHERE name = ?');
  const positionOf = (name: string): Position | null => position(name)[0]?.[0] ?? null;
  const advance = database.prepare(ADVANCE);

  const storedIn = <D>(collection: Collection, ids: readonly string[]): readonly Stored<D>[] =>
    rows(tableOf(collection.name))(JSON.stringify(ids)).map(([id, position, json]) => ({
      ...{ id, position },
      document: json === '' ? null : database.json<D>(json),
    }));
  const read = sharedReads(database, collections);
  const pageFrom = <D>(collection: Collection, query: Query): ResultPage<D> => {
    const found: D[] = [];
    for (const statement of pageStatements(collection, query)) {
      // One more than the limit shows whether there is another page.
      const bodies = values(statement.sql)(...statement.values, query.limit + 1 - found.length);
      for (const [json] of bodies) found.push(database.json<D>(json));
      if (found.length > query.limit) break;
    }
    return pageOf(found, query);
  };
  return {
    // A statement of its own: a list of one id costs a third more.
    get: <D>(name: string, id: string) =>
      read<D | null>(name, null, (collection) => {
        const [[json] = []] = values(bodyIn(collection))(id);
        return json ? database.json<D>(json) : null;
      }),
    getMany: <D>(name: string, ids: readonly string[]) =>
      read<ReadonlyMap<string, D>>(name, new Map(), (collection) => {
        const found = storedIn<D>(collection, ids);
        return new Map(found.flatMap(({ id, document }) => (document === null ? [] : [[id, document]])));
      }),
    page: <D>(name: string, query: Query) =>
      read<ResultPage<D>>(name, { items: [], next: null }, (collection) => pageFrom(collection, query)),
    ...sqliteAnswers(database, read),
    count: (name, where = {}, max = -1) =>
      read(name, 0, (collection) => {
        const statement = countStatement(collection, where);
        return Number(values(statement.sql)(...statement.values, max)[0]?.[0]);
      }),
    stored: async <D>(name: string, ids: readonly string[]) =>
      snapshot(database, () => {
        const collection = collections.own(name);
        return new Map((collection ? storedIn<D>(collection, ids) : []).map((one) => [one.id, one]));
      }),
    ensure: (collection, indexes, answers = []) =>
      transactAlone(() => ensureIndexes(database, collections, collection, indexes, answers)),
    alias: async (name, target, fence) => {
      if (target === undefined) return collections.target(name);
      await transact(() => {
        if (fence) check(fence);
        collections.point(name, target);
      });
      return target;
    },
    aliases: async (names) => snapshot(database, () => names.map(collections.target)),
    commit: async (writes, checkpoints, fence) => {
      const all = writes.map((write) => ({ write, body: write.document && JSON.stringify(write.document) }));
      await transact(() => {
        check(fence);
        writeAll(all);
        advance.run(JSON.stringify(checkpoints));
      });
    },
    checkpoint: async (name) => positionOf(name),
    checkpoints: async (names) => snapshot(database, () => names.map(positionOf)),
    drop: (collection) => transactAlone(() => collections.drop(collection)),
  };
};

/** A marker has no body. */
type StoredRow = readonly [id: string, position: Position, body: string];

const bodyIn = ({ name }: Collection): string => `SELECT body FROM ${tableOf(name)} WHERE id = ?`;

const many = (table: string): string =>
  `SELECT id, position, body FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`;

/** The table of checkpoints. */
export const CHECKPOINTS =
  'CREATE TABLE IF NOT EXISTS checkpoints (name TEXT PRIMARY KEY, position TEXT NOT NULL) WITHOUT ROWID';

// All in one statement: each page of live read models moves those of all projections.
const ADVANCE = `
  INSERT INTO checkpoints SELECT key, value FROM json_each(?) WHERE TRUE ON CONFLICT (name)
  DO UPDATE SET position = excluded.position WHERE position < excluded.position`;
