import type { Database } from '../sqlite/database.ts';
import type { NewRow } from './newRows.ts';
import type { RecordedEvent } from './port.ts';
import { positionOf } from './sqliteRows.ts';

/** `first`: the revision that its first row gets. */
export type Append = Readonly<{ stream: string; first: number; rows: readonly NewRow[] }>;

/**
 * What became of an append. `isRepetition`: it was stored before. `actual`: another writer came first, and
 * this is the stream's last revision.
 */
export type Appended = Readonly<
  | { revision: number; position: RecordedEvent['position']; isRepetition: boolean }
  | { actual: number | 'none' }
  | { taken: string }
>;

// The positions that followers hold are row ids: they grow by one with each event, and only ever within a
// write transaction.
export const SCHEMA = `CREATE TABLE IF NOT EXISTS events (
  position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL, metadata TEXT NOT NULL, data TEXT NOT NULL, UNIQUE (stream, revision))`;

/** Commits a batch of appends, durable when it returns. A refused one leaves nothing and affects no other. */
export const committer = (database: Database): ((batch: readonly Append[]) => readonly Appended[]) => {
  const write = writer(database);
  return (batch) => {
    const [only] = batch;
    // a statement by itself is its own transaction: a lone caller is spared two more
    const alone = batch.length === 1 && only?.rows.length === 1;
    return alone ? [write(only)] : database.transaction(() => batch.map(write));
  };
};

const writer = (database: Database): ((append: Append) => Appended) => {
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
    return { revision: first + rows.length - 1, position: positionOf(position), isRepetition: false };
  };
};

/** Why an append stored nothing: a repetition (then the first answer), a taken id, or another writer. */
const refusals = (database: Database): ((append: Append) => Appended) => {
  const byId = database.texts<[stream: string, revision: string, position: string]>(
    'SELECT stream, revision, position FROM events WHERE id = ?',
  );
  const last = database.prepare<[number | null]>('SELECT max(revision) FROM events WHERE stream = ?');
  return ({ stream, first, rows }) => {
    const stored = rows.map((row) => byId(row.id)[0]);
    const isRepetition = stored.every(
      (found, index) => found?.[0] === stream && Number(found[1]) === first + index,
    );
    const end = stored.at(-1);
    if (isRepetition && end)
      return { revision: Number(end[1]), position: positionOf(Number(end[2])), isRepetition };
    const index = stored.findIndex((found) => found !== undefined);
    const other = stored[index];
    if (other) return { taken: `event ${rows[index]?.id} is already stored: ${other[0]}@${other[1]}` };
    return { actual: last.get(stream)?.[0] ?? 'none' };
  };
};
