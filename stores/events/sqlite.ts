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
type Append = Readonly<{ stream: string; expected: 'none' | number; rows: readonly NewRow[] }>;

// The positions that followers hold are row ids: they grow by one with each event, and only ever within a
// write transaction.
const SCHEMA = `CREATE TABLE IF NOT EXISTS events (
  position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL, metadata TEXT NOT NULL, data TEXT NOT NULL, UNIQUE (stream, revision))`;

/**
 * The log in one SQLite file, for one machine: several processes may use it at once. Beyond the port's
 * promises an event's id is unique in the whole log: an append that brings a stored id to another place fails
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
  const clear = clearer(database);
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
    append: async (stream, expected, events) => appends.add({ stream, expected, rows: newRows(events) }),
    read,
    truncate: async (stream, before) => {
      // Few at a time: others write in between.
      while ((await transact(() => clear(stream, before))) > 0) await nextTurn();
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
    const first = firstRevision(append);
    let position = 0;
    for (const [index, row] of append.rows.entries()) {
      const { changes, lastInsertRowid } = insert.run(
        append.stream,
        first + index,
        row.id,
        row.type,
        row.metadata,
        row.data,
      );
      if (changes === 0) {
        if (index > 0) undo.run(append.stream, first);
        return explain(append);
      }
      position = Number(lastInsertRowid);
    }
    return { result: { revision: first + append.rows.length - 1, position: positionOf(position) } };
  };
};

const CLEARED_AT_ONCE = 100;

/** Deletes some of a stream's events before a revision, never its last one: how many. */
const clearer = (database: Database): ((stream: string, before: number) => number) => {
  const remove = database.prepare(
    `DELETE FROM events WHERE position IN (SELECT position FROM events WHERE stream = ?1
       AND revision < min(?2, (SELECT max(revision) FROM events WHERE stream = ?1)) ORDER BY revision LIMIT ${CLEARED_AT_ONCE})`,
  );
  return (stream, before) => remove.run(stream, before).changes;
};

/** Why an append stored nothing: a repetition (then the first answer), a taken id, or another writer. */
const refusals = (database: Database): ((append: Append) => Outcome<Answer>) => {
  const byId = database.texts<[stream: string, revision: string, position: string]>(
    'SELECT stream, revision, position FROM events WHERE id = ?',
  );
  const last = database.prepare<[number | null]>('SELECT max(revision) FROM events WHERE stream = ?');
  return (append) => {
    const { stream, expected, rows } = append;
    const first = firstRevision(append);
    const stored = rows.map((row) => byId(row.id)[0]);
    const repeated = stored.every(
      (found, index) => found?.[0] === stream && Number(found[1]) === first + index,
    );
    const end = stored.at(-1);
    if (repeated && end)
      return { result: { revision: Number(end[1]), position: positionOf(Number(end[2])) } };
    const taken = stored.findIndex((found) => found !== undefined);
    const place = stored[taken];
    if (place)
      return { error: new Error(`event ${rows[taken]?.id} is already stored: ${place[0]}@${place[1]}`) };
    return { error: new WrongExpectedRevision(stream, expected, last.get(stream)?.[0] ?? 'none') };
  };
};

const firstRevision = ({ expected }: Append): number => (expected === 'none' ? 0 : expected + 1);
