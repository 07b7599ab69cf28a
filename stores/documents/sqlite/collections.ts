import type { Database } from '../../sqlite/database.ts';
import { membersOf } from '../memberPaths.ts';
import { memoize } from './memoize.ts';

/**
 * A collection with a table. `queue`: it has the claim index. `paths`: members with their own column.
 * `within`: the paths that its index of words has beside them; null where it has none.
 */
export type Collection = Readonly<{ name: string; queue: boolean; paths: readonly string[] }> &
  Readonly<{ within: readonly string[] | null }>;

export type Collections = ReturnType<typeof createCollections>;

/**
 * Which collections there are, and which names point at others. To be read again in each transaction: another
 * process may flip an alias or drop a table at any time.
 */
export const createCollections = (database: Database) => {
  const found = database.texts<CollectionRow>(
    `${SELECT} WHERE name = coalesce((SELECT target FROM aliases WHERE name = ?1), ?1)`,
  );
  const named = database.texts<CollectionRow>(`${SELECT} WHERE name = ?`);
  const aliased = database.texts<[string]>('SELECT target FROM aliases WHERE name = ?');
  const setAlias = database.prepare('INSERT OR REPLACE INTO aliases VALUES (?, ?)');
  const add = database.prepare('INSERT INTO collections VALUES (?, 0)');
  const remove = database.prepare('DELETE FROM collections WHERE name = ?');
  const setColumns = database.prepare('INSERT OR REPLACE INTO columns VALUES (?, ?)');
  const removeColumns = database.prepare('DELETE FROM columns WHERE collection = ?');
  const addWords = database.prepare('INSERT INTO words VALUES (?, ?)');
  const removeWords = database.prepare('DELETE FROM words WHERE collection = ?');
  const columnsIn = database.texts<[string]>('SELECT name FROM pragma_table_info(?)');

  const listIn = memoize((text) => database.json<readonly string[] | null>(text));
  const collectionOf = (row: CollectionRow | undefined): Collection | null =>
    row
      ? {
          name: row[0],
          queue: row[1] === '1',
          paths: listIn(row[2] || '[]') ?? [],
          within: listIn(row[3] || 'null'),
        }
      : null;
  const own = (name: string): Collection | null => collectionOf(named(name)[0]);
  /** Throws `StoreDamaged` where a table has what the lists of tables and columns, on other pages, lack. */
  const refuseUnlisted = (name: string, column: (has: string) => boolean): void => {
    const unlisted = columnsIn(unquoted(tableOf(name))).find(([has]) => column(has));
    if (unlisted) throw database.damaged(`its list of columns lacks one of the collection “${name}”`);
  };
  const make = (name: string, paths: readonly string[]): Collection => {
    refuseUnlisted(name, () => true);
    database.exec(`CREATE TABLE ${tableOf(name)} (${columnsOf(paths)})`);
    add.run(name);
    setColumns.run(name, JSON.stringify(paths));
    return { name, queue: false, paths, within: null };
  };
  const open = (name: string, needed: readonly string[] = []): Collection => {
    const found = own(name);
    if (!found) return make(name, needed);
    const missing = needed.filter((path) => !found.paths.includes(path));
    if (missing.length === 0) return found;
    const columns = missing.map((path) => unquoted(columnOf(path)));
    refuseUnlisted(name, (has) => columns.includes(has));
    addColumns(database, name, missing);
    const paths = [...found.paths, ...missing];
    setColumns.run(name, JSON.stringify(paths));
    return { ...found, paths };
  };
  const index = (name: string, within: readonly string[]): void => {
    if (own(name)?.within) return;
    database.exec(createWords(name));
    addWords.run(name, JSON.stringify(within));
  };
  return {
    /** The collection meant by a name; null when it was never written to. */
    find: (name: string): Collection | null => collectionOf(found(name)[0]),
    /** The collection of this very name, whatever points at it; null when it was never written to. */
    own,
    /** As `own`, but creates the collection, and columns for those of the paths that have none. */
    open,
    /** Gives a collection its index of words. To be called before its first document is written. */
    index,
    drop: (name: string): void => {
      if (own(name) === null) return;
      database.exec(`DROP TABLE ${tableOf(name)}; DROP TABLE IF EXISTS ${wordsTable(name)}`);
      remove.run(name);
      removeWords.run(name);
      removeColumns.run(name);
    },
    target: (name: string): string => aliased(name)[0]?.[0] ?? name,
    point: (name: string, to: string): void => void setAlias.run(name, to),
  };
};

type CollectionRow = readonly [name: string, queue: string, paths: string, within: string];

const SELECT = `SELECT name, queue, (SELECT paths FROM columns WHERE collection = name),
  (SELECT within FROM words WHERE collection = name) FROM collections`;

/** The tables of collections. */
export const COLLECTIONS = `
  CREATE TABLE IF NOT EXISTS collections (name TEXT PRIMARY KEY, queue INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS columns (collection TEXT PRIMARY KEY, paths TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS words (collection TEXT PRIMARY KEY, within TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS aliases (name TEXT PRIMARY KEY, target TEXT NOT NULL) WITHOUT ROWID`;

/**
 * The columns of a collection's table. The body comes last: a large one spills over into other pages, which a
 * query on the others then need not read.
 */
const columnsOf = (paths: readonly string[]): string =>
  ['id TEXT PRIMARY KEY NOT NULL', 'position TEXT NOT NULL', ...paths.map(columnOf), 'body TEXT'].join(', ');

/** Adds columns to a table that has documents already, and fills them. */
const addColumns = (database: Database, name: string, paths: readonly string[]): void => {
  for (const path of paths) database.exec(`ALTER TABLE ${tableOf(name)} ADD COLUMN ${columnOf(path)}`);
  const values = paths.map((path) => `${columnOf(path)} = ${extracted(path)}`);
  database.exec(`UPDATE ${tableOf(name)} SET ${values.join(', ')} WHERE body IS NOT NULL`);
};

/**
 * The condition of every index on documents, and of every query: deletion markers stay out. An index on a
 * condition that names the body is written anew with each document, even where nothing in it has changed.
 */
export const liveIn = ({ paths }: Pick<Collection, 'paths'>): string =>
  `${paths.includes('id') ? columnOf('id') : 'body'} IS NOT NULL`;

/** SQL for the value at a path, spelled as in the indexes. Throws for a path that can't be quoted. */
export const expression = ({ paths }: Collection, path: string): string =>
  paths.includes(path) ? columnOf(path) : extracted(path);

/** The quoted column with the values at a path, so that the JSON need not be read. */
export const columnOf = memoize((path) => `"at_${escaped(membersOf(path).join('.'))}"`);

/** The path under which a stored answer has its column; no document has a member of that name. */
export const answerPath = (which: string): string => `answers.${which}`;

/** What a document's JSON has at a path. */
const extracted = (path: string): string => `json_extract(body, '$."${membersOf(path).join('"."')}"')`;

/**
 * A collection's table, in quotes. SQL names ignore case, so capitals are escaped out, like everything else
 * that is not a lower-case letter, a digit or `_`.
 */
export const tableOf = memoize((collection) => `"m_${escaped(collection)}"`);

/**
 * The table with the words of a collection's documents, in quotes, by the same row numbers. Those that SQLite
 * makes for it have no other collection's name: theirs end in `$` or without.
 */
export const wordsTable = memoize((collection) => `"w_${escaped(collection)}$"`);

/**
 * A table that has words, not texts. Their beginnings of up to 20 letters are in lists of their own, newest
 * first. A longer one is looked up among the words, and the documents of all that it begins are merged: such
 * words are numbers and names that few documents have.
 */
const BEGINNINGS = Array.from({ length: 20 }, (_, n) => n + 1).join(' ');
const createWords = (name: string): string => `CREATE VIRTUAL TABLE ${wordsTable(name)} USING fts5(
  within, words, content='', contentless_delete=1, detail='column', prefix='${BEGINNINGS}', tokenize='ascii')`;

/** An index's name without quotes. It starts with its table's: names of indexes are unique in SQL. */
export const indexName = (collection: string, index: string): string =>
  `m_${escaped(collection)}.${escaped(index)}`;

const unquoted = (name: string): string => name.slice(1, -1);

const escaped = (name: string): string =>
  name.replace(/[^a-z0-9_]/g, (unit) => `$${unit.charCodeAt(0).toString(16)}$`);
