import type { Database } from './database.ts';

/** So many pages are written in one transaction: others write between. */
const PAGES_AT_ONCE = 256;

/**
 * Writes each index of words anew, without the words of what was deleted or changed, which until then only
 * have a mark that they are gone (https://www.sqlite.org/fts5.html, contentless-delete tables).
 */
export const mergeWords = (database: Database): void => {
  database.exec('PRAGMA secure_delete = ON');
  const indexes = database.texts<[string]>(INDEXES)();
  const changes = database.prepare<[number]>('SELECT total_changes()');
  const changed = (): number => changes.all()[0]?.[0] ?? 0;
  for (const [name] of indexes) {
    const merge = database.prepare(`INSERT INTO "${name}" ("${name}", rank) VALUES ('merge', ?)`);
    // A negative number takes all parts of the index into one; it says by changes whether that goes on.
    for (let pages = -PAGES_AT_ONCE, before = -1; ; pages = PAGES_AT_ONCE) {
      before = changed();
      database.transaction(() => merge.run(pages));
      if (changed() - before < 2) break;
    }
  }
};

const INDEXES = "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts5(%'";
