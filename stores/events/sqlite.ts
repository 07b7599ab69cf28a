import { setImmediate as nextTurn } from 'node:timers/promises';
import { WrongExpectedRevision } from '../../kernel/errors.ts';
import { threadedCommits } from '../sqlite/commitThread.ts';
import { openDatabase } from '../sqlite/database.ts';
import { transactions } from '../sqlite/transactions.ts';
import { newRows } from './newRows.ts';
import type { EventStore, RecordedEvent } from './port.ts';
import { type Append, type Appended, SCHEMA } from './sqliteAppends.ts';
import { COLUMNS, positionOf, READ_AT_ONCE, recorded, type StoredRow } from './sqliteRows.ts';
import { sqliteTail } from './sqliteTail.ts';

type Options = Readonly<{ path: string; patienceMs?: number }>;

const THREAD = new URL('./sqliteThread.js', import.meta.url);

// Deletes some of a stream's events before a revision, never its last one.
const REMOVE_SOME = `DELETE FROM events WHERE position IN (SELECT position FROM events WHERE stream = ?1
  AND revision < min(?2, (SELECT max(revision) FROM events WHERE stream = ?1)) ORDER BY revision LIMIT 100)`;

/**
 * The log in one SQLite file, for one machine: several processes may use it at once. Beyond the port's
 * promises an event's id is unique in the whole log: an append of a stored id at another revision fails
 * with an error that names it. An append waits `patienceMs` for other processes' writes, then throws
 * `StoreUnavailable`.
 */
export const sqliteEventStore = ({ path, patienceMs = 5_000 }: Options): EventStore => {
  const database = openDatabase(path, { synchronous: 'FULL', busyMs: 25, schema: SCHEMA });
  const tail = sqliteTail(database);
  const appends = threadedCommits<Append, Appended>(THREAD, path, database, patienceMs, tail.committed);
  const transact = transactions(database, patienceMs);
  const removeSome = database.prepare(REMOVE_SOME);
  const newest = database.prepare<[number | null]>('SELECT max(position) FROM events');
  const readStream = database.texts<StoredRow>(
    `SELECT ${COLUMNS} FROM events
     WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ${READ_AT_ONCE}`,
  );

  async function* read(stream: string, from = 0): AsyncGenerator<RecordedEvent> {
    for (let revision = from; ; await nextTurn()) {
      const rows = readStream(stream, revision);
      yield* rows.map(recorded(database));
      if (rows.length < READ_AT_ONCE) return;
      revision = Number(rows.at(-1)?.[2] ?? revision) + 1;
    }
  }

  return {
    append: async (stream, expected, events) => {
      const first = expected === 'none' ? 0 : expected + 1;
      const appended = await appends.add({ stream, first, rows: newRows(events) });
      if ('actual' in appended) throw new WrongExpectedRevision(stream, expected, appended.actual);
      if ('taken' in appended) throw new Error(appended.taken);
      return { revision: appended.revision, position: appended.position };
    },
    read,
    truncate: async (stream, before) => {
      // Few at a time: others write in between.
      while ((await transact(() => removeSome.run(stream, before).changes)) > 0) await nextTurn();
    },
    follow: tail.follow,
    head: async () => {
      const position = newest.get()?.[0];
      return position ? positionOf(position) : null;
    },
    offset: Number,
    inspect: database.inspect,
    close: async () => {
      await appends.close();
      database.close(); // followers find out at their next poll, within 20 ms
    },
  };
};
