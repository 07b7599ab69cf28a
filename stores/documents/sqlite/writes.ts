import { groupBy } from '../../../kernel/groupBy.ts';
import type { Database, Statement, Value } from '../../sqlite/database.ts';
import { answersOf } from '../answers.ts';
import { readerOf } from '../memberPaths.ts';
import type { Scalar, Write } from '../port.ts';
import { type Collections, columnOf, tableOf } from './collections.ts';
import { memoize } from './memoize.ts';
import { changesWords, wordsWriter } from './words.ts';

/** A write with its document's JSON, null for a marker. */
type Written = Readonly<{ write: Write; body: string | null }>;

/** So many rows go into one statement where there are as many: a call for each takes twice as long. */
const ROWS_AT_ONCE = 16;

/** Writes documents and markers, each only where what is stored is older. To be called in a transaction. */
export const writerInto = (
  database: Database,
  collections: Collections,
): ((all: readonly Written[]) => void) => {
  const statement = memoize((sql) => database.prepare(sql));
  // Made once for a collection and its columns: most commits are small, and the texts are long.
  const into = memoize((key) => {
    const [name = '', ...paths] = JSON.parse(key) as readonly string[];
    return {
      rowOf: rowsOf(paths),
      one: statement(upsertInto(name, paths, 1)),
      several: () => statement(upsertInto(name, paths, ROWS_AT_ONCE)),
    };
  });
  const change = changer(statement);
  const writeWords = wordsWriter(statement);
  return (all) => {
    for (const [name, given] of groupBy(all, ({ write }) => write.collection)) {
      const collection = collections.open(name);
      const { paths } = collection;
      const { rowOf, one, several } = into(JSON.stringify([name, ...paths]));
      const unchanged = new Set<Write>();
      const own = given.filter((written) => {
        if (!change(name, paths, written)) return true;
        if (!changesWords(written.write)) unchanged.add(written.write);
        return false;
      });
      const rest = own.length - (own.length % ROWS_AT_ONCE);
      const many = rest > 0 ? several() : one;
      for (let first = 0; first < rest; first += ROWS_AT_ONCE) {
        const values: Value[] = [];
        for (const written of own.slice(first, first + ROWS_AT_ONCE)) values.push(...rowOf(written));
        many.run(...values);
      }
      for (const written of own.slice(rest)) one.run(...rowOf(written));
      for (const { write } of given) if (!unchanged.has(write)) writeWords(collection, write);
    }
  };
};

/**
 * Changes a document that still is as it was read: an index none of whose members has changed is not written.
 * Gives false where it is not, or was none, or will be none.
 */
const changer = (statement: (sql: string) => Statement<readonly unknown[]>) => {
  const readerAt = memoize(readerOf);
  return (name: string, paths: readonly string[], { write, body }: Written): boolean => {
    const { id, position, before } = write;
    if (!before?.document || body === null || before.position >= position) return false;
    const source = sourceOf(write);
    const changed = paths.filter((path) => readerAt(path)(source) !== readerAt(path)(before.document));
    const columns = ['position', 'body', ...changed.map(columnOf)].map((column) => `${column} = ?`);
    const update = statement(
      `UPDATE ${tableOf(name)} SET ${columns.join(', ')} WHERE id = ? AND position = ?`,
    );
    const members = changed.map((path) => columnValue(readerAt(path)(source)));
    return update.run(position, body, ...members, id, before.position).changes === 1;
  };
};

/** A value as json_extract would find it in the body. */
const columnValue = (value: Scalar): Value => (typeof value === 'boolean' ? Number(value) : value);

const upsertInto = (name: string, paths: readonly string[], rows: number): string => {
  const columns = ['position', ...paths.map(columnOf), 'body'];
  const row = `(?${', ?'.repeat(columns.length)})`;
  return `INSERT INTO ${tableOf(name)} (id, ${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}
    ON CONFLICT (id) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
    WHERE position < excluded.position`;
};

/** The values of a row; each column has what json_extract would find in the body. */
const rowsOf = (paths: readonly string[]): ((written: Written) => readonly Value[]) => {
  const readers = paths.map(readerOf);
  return ({ write, body }) => {
    const source = sourceOf(write);
    return [write.id, write.position, ...readers.map((read) => columnValue(read(source))), body];
  };
};

/** What the columns are read from: the document and its answers. */
const sourceOf = ({ document, answers }: Write): object | null =>
  answers && document ? { ...document, answers: answersOf(answers, document) } : document;
