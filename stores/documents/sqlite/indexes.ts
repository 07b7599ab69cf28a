import type { Database } from '../../sqlite/database.ts';
import type { Index, Made } from '../port.ts';
import {
  answerPath,
  type Collection,
  type Collections,
  columnOf,
  indexName,
  liveIn,
  tableOf,
} from './collections.ts';

/** The members that documents of a queue are claimed by, and the condition of being in it. */
export const LANE = columnOf('lane');
export const DUE = columnOf('dueAt');
export const WAITING = `${DUE} IS NOT NULL`;

/** Makes the indexes that are missing or have changed. */
export const ensureIndexes = (
  database: Database,
  collections: Collections,
  collection: string,
  indexes: readonly Index[],
  { answers = {}, words }: Made,
): void => {
  const paths = [
    ...indexes.flatMap(({ sort }) => sort.map(({ path }) => path)),
    ...Object.keys(answers).map(answerPath),
  ];
  const opened = collections.open(collection, [...new Set(paths)]);
  const { name } = opened;
  if (words) collections.index(name, words.within);
  const stored = database.texts<[string]>(`SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?`);
  for (const index of indexes) {
    const named = indexName(name, index.name);
    const definition = `CREATE INDEX "${named}" ON ${tableOf(name)} (${columns(index)}) WHERE ${liveIn(opened)}`;
    const present = stored(named)[0]?.[0];
    if (present === definition) continue;
    if (present) database.exec(`DROP INDEX "${named}"`);
    database.exec(definition);
  }
};

/**
 * Makes the index to claim by. Only documents that wait are in it: a lane costs nothing once its work is
 * done. A queue of an older release has one without columns of its own.
 */
export const ensureQueue = (
  database: Database,
  collections: Collections,
  { name, queue, paths }: Collection,
): void => {
  if (queue && CLAIMED_BY.every((path) => paths.includes(path))) return;
  collections.open(name, CLAIMED_BY);
  // No index of `ensure` can have this name: its dots are escaped out.
  const named = `"m.queue.${indexName(name, '')}"`;
  database.exec(
    `DROP INDEX IF EXISTS ${named}; CREATE INDEX ${named} ON ${tableOf(name)} (${LANE}, ${DUE}, id) WHERE ${WAITING}`,
  );
  database.prepare('UPDATE collections SET queue = 1 WHERE name = ?').run(name);
};

const CLAIMED_BY: readonly string[] = ['lane', 'dueAt'];

/**
 * Columns in the directions that put what sorts last at the end: SQLite reads an index either way, but it
 * fills pages fully, and finds the position at once, only where it continues at an end. Most documents come
 * in the order of time, and are listed newest first.
 */
const columns = ({ sort }: Index): string => {
  const [asc, desc] = sort.at(-1)?.direction === 'descending' ? ['DESC', 'ASC'] : ['ASC', 'DESC'];
  return sort
    .map(({ path, direction }) => `${columnOf(path)} ${direction === 'ascending' ? asc : desc}`)
    .join(', ');
};
