import type { Database } from '../../sqlite/database.ts';
import { tableOf } from './expressions.ts';

/** A collection that has a table, by its own name. `queue`: it has the index to claim by. */
export type Collection = Readonly<{ name: string; queue: boolean }>;

/**
 * Which collections there are, and which names point at others. To be asked anew in each transaction: another process
 * may flip an alias or drop a table at any time.
 */
export type Collections = Readonly<{
  /** The collection meant by a name; null when it was never written to. */
  find(name: string): Collection | null;
  /** The collection of this very name, whatever points at it; null when it was never written to. */
  own(collection: string): Collection | null;
  /** As `own`, but makes the collection when it is not there. */
  open(collection: string): Collection;
  drop(collection: string): void;
  target(name: string): string;
  point(name: string, target: string): void;
}>;

/** The books of all collections, in tables of COLLECTIONS. */
export const collections = (database: Database): Collections => {
  const found = database.prepare<[string, number]>(
    'SELECT name, queue FROM collections WHERE name = coalesce((SELECT target FROM aliases WHERE name = ?1), ?1)',
  );
  const named = database.prepare<[string, number]>('SELECT name, queue FROM collections WHERE name = ?');
  const aliased = database.prepare<[string]>('SELECT target FROM aliases WHERE name = ?');
  const setAlias = database.prepare('INSERT OR REPLACE INTO aliases VALUES (?, ?)');
  const add = database.prepare('INSERT INTO collections VALUES (?, 0)');
  const remove = database.prepare('DELETE FROM collections WHERE name = ?');

  const own = (name: string): Collection | null => collectionOf(named.get(name));
  const make = (name: string): Collection => {
    database.exec(`CREATE TABLE ${tableOf(name)} (${COLUMNS})`);
    add.run(name);
    return { name, queue: false };
  };
  const drop = ({ name }: Collection): void => {
    database.exec(`DROP TABLE ${tableOf(name)}`);
    remove.run(name);
  };
  return {
    find: (name) => collectionOf(found.get(name)),
    own,
    open: (name) => own(name) ?? make(name),
    drop: (name) => {
      const collection = own(name);
      if (collection) drop(collection);
    },
    target: (name) => aliased.get(name)?.[0] ?? name,
    point: (name, to) => void setAlias.run(name, to),
  };
};

const collectionOf = (row: readonly [string, number] | undefined): Collection | null =>
  row ? { name: row[0], queue: row[1] === 1 } : null;

// The body comes last: a large one spills over into other pages, which a look at the first two then need not read.
const COLUMNS = 'id TEXT PRIMARY KEY NOT NULL, position TEXT NOT NULL, body TEXT';

/** The tables of the books. */
export const COLLECTIONS = `
  CREATE TABLE IF NOT EXISTS collections (name TEXT PRIMARY KEY, queue INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS aliases (name TEXT PRIMARY KEY, target TEXT NOT NULL) WITHOUT ROWID`;
