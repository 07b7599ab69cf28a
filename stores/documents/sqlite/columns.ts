import type { Database } from '../../sqlite/database.ts';
import { columnOf, extracted, tableOf } from './expressions.ts';

/** The columns of a collection's table. The body comes last: a large one spills over into other pages, which a look at the others then need not read. */
export const columnsOf = (paths: readonly string[]): string =>
  ['id TEXT PRIMARY KEY NOT NULL', 'position TEXT NOT NULL', ...paths.map(columnOf), 'body TEXT'].join(', ');

/** Adds columns to a table that has documents already, and fills them. */
export const addColumns = (database: Database, name: string, paths: readonly string[]): void => {
  for (const path of paths) database.exec(`ALTER TABLE ${tableOf(name)} ADD COLUMN ${columnOf(path)}`);
  const values = paths.map((path) => `${columnOf(path)} = ${extracted(path)}`);
  database.exec(`UPDATE ${tableOf(name)} SET ${values.join(', ')} WHERE body IS NOT NULL`);
};
