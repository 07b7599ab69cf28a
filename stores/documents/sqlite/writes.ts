import { groupBy } from '../../../kernel/groupBy.ts';
import type { Database, Value } from '../../sqlite/database.ts';
import { readerOf } from '../memberPaths.ts';
import type { Write } from '../port.ts';
import { type Collections, columnOf, tableOf } from './collections.ts';
import { memoize } from './memoize.ts';

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
  return (all) => {
    for (const [name, own] of groupBy(all, ({ write }) => write.collection)) {
      const { rowOf, one, several } = into(JSON.stringify([name, ...collections.open(name).paths]));
      const rest = own.length - (own.length % ROWS_AT_ONCE);
      const many = rest > 0 ? several() : one;
      for (let first = 0; first < rest; first += ROWS_AT_ONCE) {
        const values: Value[] = [];
        for (const written of own.slice(first, first + ROWS_AT_ONCE)) values.push(...rowOf(written));
        many.run(...values);
      }
      for (const written of own.slice(rest)) one.run(...rowOf(written));
    }
  };
};

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
  return ({ write: { id, position, document }, body }) => {
    const members = readers.map((read) => {
      const value = read(document);
      return typeof value === 'boolean' ? Number(value) : value;
    });
    return [id, position, ...members, body];
  };
};
