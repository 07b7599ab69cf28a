import { join } from 'node:path';
import { decrypt } from '../kernel/sealing.ts';
import type { SubjectKeys } from '../stores/events/subjectKeys.ts';
import { openDatabase } from '../stores/sqlite/database.ts';

type Row = readonly [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  metadata: string,
  data: string,
];
type Sealed = Readonly<{ sealed: string; subject: string }>;
type Parsed = Readonly<{ row: Row; metadata: unknown; data: Readonly<{ private?: Sealed }> }>;

/** Reads and parses the events of the log in a folder, in a bare loop: how many there are. */
export const readAndParse = (folder: string): number => {
  let count = 0;
  for (const events of pages(folder)) count += events.length;
  return count;
};

/** The same, and opens what is sealed, which no projection can do without. */
export const readAndOpen = async (folder: string, keys: SubjectKeys): Promise<number> => {
  let count = 0;
  for (const events of pages(folder)) {
    const sealed = events.flatMap(({ row, data }) => (data.private ? { row, part: data.private } : []));
    const found = await keys.find(new Set(sealed.map(({ part }) => part.subject)));
    for (const { row, part } of sealed) {
      const key = found.get(part.subject);
      if (!key) throw new Error(`${part.subject} has no key`);
      JSON.parse(decrypt(key, JSON.stringify([row[3], row[1], row[4]]), part.sealed).toString());
    }
    count += events.length;
  }
  return count;
};

const AT_ONCE = 500;

function* pages(folder: string): Generator<readonly Parsed[]> {
  const database = openDatabase(join(folder, 'log.db'), { synchronous: 'FULL' });
  const read = database.prepare<Row>(
    `SELECT position, stream, revision, id, type, metadata, data FROM events
     WHERE position > ? ORDER BY position LIMIT ${AT_ONCE}`,
  );
  for (let rows = read.all(0); rows.length > 0; rows = read.all(rows.at(-1)?.[0] ?? 0))
    yield rows.map((row) => ({ row, metadata: JSON.parse(row[5]), data: JSON.parse(row[6]) }));
  database.close();
}
