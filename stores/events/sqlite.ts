import { setImmediate as nextTurn } from 'node:timers/promises';
import { WrongExpectedRevision } from '../../kernel/errors.ts';
import { watchChanges } from '../sqlite/changes.ts';
import { type Database, openDatabase } from '../sqlite/database.ts';
import { groupCommit, type Outcome } from '../sqlite/groupCommit.ts';
import { transactions } from '../sqlite/transactions.ts';
import { type NewRow, newRows } from './newRows.ts';
import type { EventStore, Follow, Page, RecordedEvent } from './port.ts';
import {
  COLUMNS,
  origin,
  pageReader,
  positionOf,
  READ_AT_ONCE,
  recorded,
  type StoredRow,
} from './sqliteRows.ts';

type Options = Readonly<{ path: string; patienceMs?: number }>;
type Answer = Readonly<{ revision: number; position: RecordedEvent['position'] }>;
/** `first`: the revision that its first row gets. */
type Append = Readonly<{
  stream: string;
  expected: 'none' | number;
  first: number;
  rows: readonly NewRow[];
}>;

// The positions that followers hold are row ids: they grow by one with each event, and only ever within a
// write transaction.
const SCHEMA = `CREATE TABLE IF NOT EXISTS events (
  position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL, metadata TEXT NOT NULL, data TEXT NOT NULL, UNIQUE (stream, revision))`;

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
  const changes = watchChanges(database);
  const write = writer(database);
  const commit = (batch: readonly Append[]): readonly Outcome<Answer>[] => {
    const [only] = batch;
    // a statement by itself is its own transaction: a lone caller is spared two more
    const alone = batch.length === 1 && only?.rows.length === 1;
    const outcomes = alone ? [write(only)] : database.transaction(() => batch.map(write));
    changes.notify();
    return outcomes;
  };
  const appends = groupCommit(commit, patienceMs);
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

  async function* follow(after: RecordedEvent['position'] | null, options: Follow): AsyncGenerator<Page> {
    const readPage = pageReader(database, options.prefixes);
    let position = after ?? origin;
    let isFirstYielded = false;
    while (!options.signal.aborted) {
      const state = changes.now();
      const page = readPage(position, options.page);
      if (page.upTo > position || !isFirstYielded) yield page;
      isFirstYielded = true;
      position = page.upTo;
      await (page.live ? changes.after(state, options.signal) : nextTurn());
    }
  }

  return {
    append: async (stream, expected, events) => {
      const first = expected === 'none' ? 0 : expected + 1;
      return appends.add({ stream, expected, first, rows: newRows(events) });
    },
    read,
    truncate: async (stream, before) => {
      // Few at a time: others write in between.
      while ((await transact(() => removeSome.run(stream, before).changes)) > 0) await nextTurn();
    },
    follow,
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

/** Writes one append in the batch's transaction. A refused one leaves nothing and affects no other. */
const writer = (database: Database): ((append: Append) => Outcome<Answer>) => {
  // The statement itself holds the expected revision: elsewhere the new one becomes NULL, and that row, like
  // one with a known id, is ignored (0 changes). No savepoint is needed, and a check inside VALUES is free,
  // where INSERT … SELECT costs 10 %.
  const insert = database.prepare(
    `INSERT OR IGNORE INTO events (stream, revision, id, type, metadata, data) VALUES (?1,
       CASE WHEN coalesce((SELECT max(revision) FROM events WHERE stream = ?1), -1) = ?2 - 1 THEN ?2 END, ?3, ?4, ?5, ?6)`,
  );
  const undo = database.prepare('DELETE FROM events WHERE stream = ? AND revision >= ?');
  const explain = refusals(database);
  return (append) => {
    const { stream, first, rows } = append;
    let position = 0;
    for (const [index, { id, type, metadata, data }] of rows.entries()) {
      const { changes, lastInsertRowid } = insert.run(stream, first + index, id, type, metadata, data);
      if (changes === 0) {
        if (index > 0) undo.run(stream, first);
        return explain(append);
      }
      position = Number(lastInsertRowid);
    }
    return { result: { revision: first + rows.length - 1, position: positionOf(position) } };
  };
};

/** Why an append stored nothing: a repetition (then the first answer), a taken id, or another writer. */
const refusals = (database: Database): ((append: Append) => Outcome<Answer>) => {
  const byId = database.texts<[stream: string, revision: string, position: string]>(
    'SELECT stream, revision, position FROM events WHERE id = ?',
  );
  const last = database.prepare<[number | null]>('SELECT max(revision) FROM events WHERE stream = ?');
  return ({ stream, expected, first, rows }) => {
    const stored = rows.map((row) => byId(row.id)[0]);
    const isRepetition = stored.every(
      (found, index) => found?.[0] === stream && Number(found[1]) === first + index,
    );
    const end = stored.at(-1);
    if (isRepetition && end)
      return { result: { revision: Number(end[1]), position: positionOf(Number(end[2])) } };
    const index = stored.findIndex((found) => found !== undefined);
    const other = stored[index];
    if (other)
      return { error: new Error(`event ${rows[index]?.id} is already stored: ${other[0]}@${other[1]}`) };
    return { error: new WrongExpectedRevision(stream, expected, last.get(stream)?.[0] ?? 'none') };
  };
};
