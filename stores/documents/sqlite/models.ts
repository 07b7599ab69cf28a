import type { Position } from '../../../kernel/event.ts';
import type { Database } from '../../sqlite/database.ts';
import type { Transact } from '../../sqlite/transactions.ts';
import { snapshot } from '../../sqlite/transactions.ts';
import { pageOf } from '../indexRanges.ts';
import type { Fence, Query, ReadModels, ResultPage, Stored } from '../port.ts';
import { answerPath, type Collection, type Collections, columnOf, tableOf } from './collections.ts';
import { ensureIndexes } from './indexes.ts';
import { memoize } from './memoize.ts';
import { countStatement, pageStatements } from './query.ts';
import { sharedReads } from './reads.ts';
import { writerInto } from './writes.ts';

/** Read models in a SQLite file. `check` throws `LeaseLost` for a stale fence, within a transaction. */
export const sqliteReadModels = (
  database: Database,
  collections: Collections,
  check: (fence: Fence) => void,
  transact: Transact,
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
  const textsIn = (collection: Collection, query: Query, column: string): readonly string[] => {
    const found: string[] = [];
    for (const statement of pageStatements(collection, query, column)) {
      // One more than the limit shows whether there is another page.
      const texts = values(statement.sql)(...statement.values, query.limit + 1 - found.length);
      for (const [text] of texts) found.push(text);
      if (found.length > query.limit) break;
    }
    return found;
  };
  /**
   * As `read`, of the answers stored beside documents: also `none` in a collection without a column for them.
   */
  const readAnswers = <T>(
    ...[name, which, none, body]: [string, string, T, (collection: Collection, column: string) => T]
  ) =>
    read(name, none, (collection) =>
      collection.paths.includes(answerPath(which)) ? body(collection, columnOf(answerPath(which))) : none,
    );
  return {
    // A statement of its own: a list of one id costs a third more.
    get: <D>(name: string, id: string) =>
      read<D | null>(name, null, (collection) => {
        const [[json] = []] = values(oneIn(collection, 'body'))(id);
        return json ? database.json<D>(json) : null;
      }),
    getMany: <D>(name: string, ids: readonly string[]) =>
      read<ReadonlyMap<string, D>>(name, new Map(), (collection) => {
        const found = storedIn<D>(collection, ids);
        return new Map(found.flatMap(({ id, document }) => (document === null ? [] : [[id, document]])));
      }),
    page: <D>(name: string, query: Query) =>
      read<ResultPage<D>>(name, { items: [], next: null }, (collection) =>
        pageOf(
          textsIn(collection, query, 'body').map((json) => database.json<D>(json)),
          query,
        ),
      ),
    answers: (name, ids, which) =>
      readAnswers<readonly (string | null)[]>(
        name,
        which,
        ids.map(() => null),
        (collection, column) => {
          const answer = values(oneIn(collection, column));
          return ids.map((id) => answer(id)[0]?.[0] || null);
        },
      ),
    answerPage: (name, which, query) =>
      readAnswers<ResultPage<string> | null>(name, which, null, (collection, column) => {
        const texts = textsIn(collection, query, column);
        return texts.includes('') ? null : pageOf(texts, query, database.json);
      }),
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
    ensure: (collection, indexes, made = {}) =>
      transact(() => ensureIndexes(database, collections, collection, indexes, made)),
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
    drop: (collection) => transact(() => collections.drop(collection)),
  };
};

/** A marker has no body. */
type StoredRow = readonly [id: string, position: Position, body: string];

const oneIn = ({ name }: Collection, column: string): string =>
  `SELECT ${column} FROM ${tableOf(name)} WHERE id = ?`;

const many = (table: string): string =>
  `SELECT id, position, body FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`;

/** The table of checkpoints. */
export const CHECKPOINTS =
  'CREATE TABLE IF NOT EXISTS checkpoints (name TEXT PRIMARY KEY, position TEXT NOT NULL) WITHOUT ROWID';

// All in one statement: each page of live read models moves those of all projections.
const ADVANCE = `
  INSERT INTO checkpoints SELECT key, value FROM json_each(?) WHERE TRUE ON CONFLICT (name)
  DO UPDATE SET position = excluded.position WHERE position < excluded.position`;
