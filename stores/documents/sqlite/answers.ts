import type { Database } from '../../sqlite/database.ts';
import { joinedPage } from '../answers.ts';
import type { AnswerPage, Query, ReadModels } from '../port.ts';
import { answerPath, type Collection, columnOf, tableOf } from './collections.ts';
import { memoize } from './memoize.ts';
import { pageStatements } from './query.ts';
import type { Read } from './reads.ts';

/** The answers stored beside the documents of a SQLite file. */
export const sqliteAnswers = (database: Database, read: Read): Pick<ReadModels, 'answers' | 'answerPage'> => {
  const statement = memoize((sql) => database.bytes(sql));
  const pageIn = (collection: Collection, which: string, query: Query): AnswerPage | null => {
    const texts: Buffer[] = [];
    let count = 0;
    for (const { sql, values } of pageStatements(collection, query, `${answerColumn(which)} AS answer`)) {
      const joined = statement(
        `SELECT count(*), count(answer), CAST(group_concat(answer, char(44, 10)) AS BLOB) FROM (${sql})`,
      );
      const [rows, answers, text] = joined(...values, query.limit + 1 - count) as Joined;
      if (answers < rows) return null;
      if (text) texts.push(text);
      count += rows;
      if (count > query.limit) break;
    }
    return joinedPage(texts, count, query);
  };
  return {
    answers: (name, ids, which) => {
      const none = ids.map(() => null);
      return read<readonly (Buffer | null)[]>(name, none, (collection) => {
        if (!collection.paths.includes(answerPath(which))) return none;
        const one = statement(
          `SELECT CAST(${answerColumn(which)} AS BLOB) FROM ${tableOf(collection.name)} WHERE id = ?`,
        );
        return ids.map((id) => (one(id)?.[0] as Buffer | null | undefined) ?? null);
      });
    },
    answerPage: (name, which, query) =>
      read<AnswerPage | null>(name, null, (collection) =>
        collection.paths.includes(answerPath(which)) ? pageIn(collection, which, query) : null,
      ),
  };
};

type Joined = readonly [rows: number, answers: number, text: Buffer | null];

const answerColumn = (which: string): string => columnOf(answerPath(which));
