import type { Database, Value } from '../../sqlite/database.ts';
import { snapshot } from '../../sqlite/transactions.ts';
import { joinedPage } from '../answers.ts';
import type { AnswerPage, Query, ReadModels } from '../port.ts';
import { answerPath, type Collection, type Collections, columnOf, tableOf } from './collections.ts';
import { memoize } from './memoize.ts';
import { pageStatements } from './query.ts';

type Found = readonly [isCurrent: number, rows: number, answers: number, text: Buffer | null];

/**
 * The documents of a SQLite file and the answers stored beside them. Each is read by one statement, which also
 * tells whether the name still means the collection that it meant before: another process may have pointed it
 * at another one, and have dropped that.
 */
export const sqliteAnswers = (
  database: Database,
  collections: Collections,
): Pick<ReadModels, 'get' | 'answers' | 'answerPage'> => {
  const statement = memoize((sql) => database.bytes(sql));
  const meant = new Map<string, Collection>();

  const read = (name: string, { name: own }: Collection, selected: string, values: readonly Value[]): Found =>
    statement(`SELECT ${IS_CURRENT}, ${selected}`)(name, name, own, ...values) as unknown as Found;
  const within = <T>(
    name: string,
    path: string | null,
    none: T,
    find: (collection: Collection) => T | 'stale',
  ): T => {
    const known = meant.get(name);
    const found = known === undefined || !has(known, path) ? 'stale' : attempt(() => find(known));
    if (found !== 'stale') return found;
    return snapshot(database, () => {
      const collection = collections.find(name);
      if (!collection || !has(collection, path)) return none;
      meant.set(name, collection);
      return find(collection) as T;
    });
  };
  const pageIn = (name: string, collection: Collection, which: string, query: Query) => {
    const texts: Buffer[] = [];
    let count = 0;
    for (const { sql, values } of pageStatements(collection, query, `${answerColumn(which)} AS answer`)) {
      const selected = `count(*), count(answer), CAST(group_concat(answer, char(44, 10)) AS BLOB) FROM (${sql})`;
      const [isCurrent, rows, answers, text] = read(name, collection, selected, [
        ...values,
        query.limit + 1 - count,
      ]);
      if (isCurrent === 0) return 'stale';
      if (answers < rows) return null;
      if (text) texts.push(text);
      count += rows;
      if (count > query.limit) break;
    }
    return joinedPage(texts, count, query);
  };
  /** What a document has in the column of a path, or its body. */
  const textOf = (name: string, id: string, path: string | null): Buffer | null =>
    within<Buffer | null>(name, path, null, (collection) => {
      const column = path === null ? 'body' : columnOf(path);
      const selected = `0, 0, (SELECT CAST(${column} AS BLOB) FROM ${tableOf(collection.name)} WHERE id = ?)`;
      const [isCurrent, , , text] = read(name, collection, selected, [id]);
      return isCurrent === 0 ? 'stale' : text;
    });
  return {
    get: async <D>(name: string, id: string) => {
      const text = textOf(name, id, null);
      return text && database.json<D>(text.toString());
    },
    answers: async (name, ids, which) => ids.map((id) => textOf(name, id, answerPath(which))),
    answerPage: async (name, which, query) =>
      within<AnswerPage | null>(name, answerPath(which), null, (collection) =>
        pageIn(name, collection, which, query),
      ),
  };
};

const has = ({ paths }: Collection, path: string | null): boolean => path === null || paths.includes(path);

const answerColumn = (which: string): string => columnOf(answerPath(which));

const IS_CURRENT = 'coalesce((SELECT target FROM aliases WHERE name = ?), ?) = ?';

/** The table may have been dropped: what fails is done again, in a snapshot. */
const attempt = <T>(body: () => T): T | 'stale' => {
  try {
    return body();
  } catch {
    return 'stale';
  }
};
