import type { Database } from '../../sqlite/database.ts';
import type { Index } from '../port.ts';
import type { Collection } from './collections.ts';
import { expression, indexName, LIVE, tableOf } from './expressions.ts';

/** The members that documents of a queue are claimed by, and the condition of being in it. */
export const LANE = expression('lane');
export const DUE = expression('dueAt');
export const WAITING = `${DUE} IS NOT NULL`;

/**
 * Makes the indexes that are missing or have changed. `unique` makes none that refuses a write: a projection would
 * stop for ever at a rule that is not its own.
 */
export const ensureIndexes = (database: Database, { name }: Collection, indexes: readonly Index[]): void => {
  const definition = database.prepare<[string]>(
    `SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?`,
  );
  for (const index of indexes) {
    const named = indexName(name, index.name);
    const wanted = `CREATE INDEX "${named}" ON ${tableOf(name)} (${columns(index)}) WHERE ${LIVE}`;
    const present = definition.get(named)?.[0];
    if (present === wanted) continue;
    if (present) database.exec(`DROP INDEX "${named}"`);
    database.exec(wanted);
  }
};

/** Makes the index to claim by. Only documents that wait are in it: a lane costs nothing once its work is done. */
export const ensureQueue = (database: Database, { name, queue }: Collection): void => {
  if (queue) return;
  // No index of `ensure` can have this name: its dots are spelled out.
  database.exec(
    `CREATE INDEX "m.queue.${indexName(name, '')}" ON ${tableOf(name)} (${LANE}, ${DUE}, id) WHERE ${WAITING}`,
  );
  database.prepare('UPDATE collections SET queue = 1 WHERE name = ?').run(name);
};

const columns = ({ sort }: Index): string =>
  sort
    .map(({ path, direction }) => `${expression(path)} ${direction === 'ascending' ? 'ASC' : 'DESC'}`)
    .join(', ');
