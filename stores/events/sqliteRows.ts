import type { Metadata, Position } from '../../kernel/event.ts';
import type { Database, Texts } from '../sqlite/database.ts';
import type { Page, RecordedEvent } from './port.ts';

/** A row of the table `events`, as `COLUMNS` names it. */
export type StoredRow = readonly [
  position: string,
  stream: string,
  revision: string,
  id: string,
  type: string,
  metadata: string,
  data: string,
];
/** The columns of an event, in the order of its row. */
export const COLUMNS = 'position, stream, revision, id, type, metadata, data';

/** So many rows at once go from SQLite into memory: events of 1 MB must not fill it. */
export const READ_AT_ONCE = 32;

// A page ends at this much text even if it may have more rows, and a query scans so many rows at most,
// matching or not: neither memory nor one turn of the event loop grows with the log.
const PAGE_CHARACTERS = 8_000_000;
const SCANNED_AT_ONCE = 10_000;

/** A row's number as a position: 16 digits, ordered as text. */
export const positionOf = (row: number): Position => String(row).padStart(16, '0') as Position;

/** The position before the first event. */
export const origin = positionOf(0);

/** A stored row as the port gives it. Throws `StoreDamaged` for one that the driver did not write. */
export const recorded =
  (database: Database) =>
  ([position, stream, revision, id, type, metadata, data]: StoredRow): RecordedEvent => ({
    id,
    type,
    stream,
    revision: Number(revision),
    position: positionOf(Number(position)),
    metadata: database.json<Metadata>(metadata),
    data: database.json<RecordedEvent['data']>(data),
  });

/** Reads the log in pages, only streams with one of `prefixes`; `upTo` also passes what doesn't match. */
export const pageReader = (
  database: Database,
  prefixes: readonly string[],
): ((after: Position, size: number) => Page) => {
  const newest = database.prepare<[number | null]>('SELECT max(position) FROM events');
  const matches = prefixes.map((_, index) => `stream >= ?${index * 2 + 4} AND stream < ?${index * 2 + 5}`);
  const statement = database.texts<StoredRow>(
    `SELECT ${COLUMNS} FROM events NOT INDEXED
     WHERE position > ?1 AND position <= ?2 AND (${matches.join(' OR ') || 'FALSE'}) ORDER BY position LIMIT ?3`,
  );
  const ranges = prefixes.flatMap((prefix) => [prefix, `${prefix}\u{10FFFF}`]);
  return (after, size) => {
    const start = Number(after);
    const top = Math.max(newest.get()?.[0] ?? 0, start);
    const end = Math.min(top, start + Math.max(SCANNED_AT_ONCE, size));
    const { rows, upTo } = scan(statement, ranges, start, end, size);
    return { events: rows.map(recorded(database)), upTo: positionOf(upTo), live: upTo === top };
  };
};

const scan = (
  statement: Texts<StoredRow>,
  ranges: readonly string[],
  start: number,
  end: number,
  size: number,
): Readonly<{ rows: readonly StoredRow[]; upTo: number }> => {
  const rows: StoredRow[] = [];
  for (let last = start, characters = 0; rows.length < size && characters < PAGE_CHARACTERS; ) {
    const limit = Math.min(READ_AT_ONCE, size - rows.length);
    const found = statement(last, end, limit, ...ranges);
    rows.push(...found);
    if (found.length < limit) return { rows, upTo: end };
    last = Number(found.at(-1)?.[0] ?? end);
    characters += found.reduce((sum, row) => sum + row[5].length + row[6].length, 0);
  }
  return { rows, upTo: Number(rows.at(-1)?.[0] ?? end) };
};
