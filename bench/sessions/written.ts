import { join } from 'node:path';
import { positionOf } from '../../stores/events/sqliteRows.ts';
import { type Database, openDatabase, type Value } from '../../stores/sqlite/database.ts';

/**
 * What a request wrote: tables with their indexes, rows for them, and the identifiers in these that no other
 * request has.
 */
export type Written = Readonly<{
  schema: readonly string[];
  rows: readonly Readonly<{ table: string; values: readonly Value[] }>[];
  ids: readonly string[];
}>;

/**
 * What `request` writes to a data folder while nothing else does: its events, its documents (but for the
 * index of words), and its sealing key.
 */
export const writtenBy = async (folder: string, request: () => Promise<void>): Promise<Written> => {
  const open = (file: string) => openDatabase(join(folder, file), { synchronous: 'NORMAL' });
  const [log, models, keys] = [open('log.db'), open('models.db'), open('keys.db')];
  const [last = 0] = log.prepare<[number]>('SELECT max(position) FROM events').get() ?? [];
  const [lastKey = 0] = keys.prepare<[number]>('SELECT max(rowid) FROM rows').get() ?? [];
  await request();
  const written = [
    writtenTo(log, 'events', 'position > ?', last),
    ...tablesOf(models).map((table) => writtenTo(models, table, 'position > ?', positionOf(last))),
    writtenTo(keys, 'rows', 'rowid > ?', lastKey),
  ].filter(({ rows }) => rows.length > 0);
  const ids = log.prepare<[string]>('SELECT id FROM events WHERE position > ?').all(last);
  const [[stream = ''] = []] = log.texts<[string]>('SELECT stream FROM events WHERE position > ?')(last);
  for (const database of [log, models, keys]) database.close();
  return {
    schema: written.flatMap(({ schema }) => schema),
    rows: written.flatMap(({ rows }) => rows),
    ids: [...ids.map(([id]) => id), stream.slice(-26)],
  };
};

const tablesOf = (models: Database): readonly string[] =>
  models
    .texts<[string]>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'm_*'")()
    .map(([name]) => `"${name}"`);

const writtenTo = (database: Database, table: string, where: string, last: Value) => {
  const name = table.replaceAll('"', '');
  return {
    schema: database
      .texts<[string]>('SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL')(name)
      .map(([sql]) => sql),
    rows: database
      .prepare<Value[]>(`SELECT * FROM ${table} WHERE ${where}`)
      .all(last)
      .map((values) => ({ table, values: table === 'events' ? [null, ...values.slice(1)] : values })),
  };
};
