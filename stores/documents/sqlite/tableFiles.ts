import { join } from 'node:path';
import { threadedCommits } from '../../sqlite/commitThread.ts';
import { compacting } from '../../sqlite/compact.ts';
import type { Tables } from '../port.ts';
import { openDocumentFile } from './documentFile.ts';
import { refuseUnmoved, refuseWithoutKeys } from './moveKeys.ts';
import { type Change, ROWS, SMALL_ROWS, sqliteTables } from './tables.ts';

const TABLES_THREAD = new URL('./tablesThread.js', import.meta.url);

/** The tables that have a file of their own, so that it can be backed up apart from all others. */
const FILES: ReadonlyMap<string, 'keys.db' | 'forgotten.db'> = new Map([
  ['subjectKeys', 'keys.db'],
  ['wrappingKeys', 'keys.db'],
  ['masterKey', 'keys.db'],
  ['ledgerApplied', 'keys.db'],
  ['forgottenSubjects', 'forgotten.db'],
]);

/** The tables of `folder`, each in its file; see `Tables`. Throws `DataDirDamaged` where keys.db was lost. */
export const tableFiles = (folder: string, patienceMs: number) => {
  refuseWithoutKeys(folder);
  // In this order: where tables.db is there, keys.db is.
  const keys = openTables(join(folder, 'keys.db'), SMALL_ROWS, patienceMs);
  const forgotten = openTables(join(folder, 'forgotten.db'), SMALL_ROWS, patienceMs);
  const others = openTables(join(folder, 'tables.db'), ROWS, patienceMs);
  refuseUnmoved(others.database);
  const files = { 'keys.db': keys, 'forgotten.db': forgotten };
  const of = (table: string): Tables => {
    const name = FILES.get(table);
    return (name ? files[name] : others).tables;
  };
  const tables: Tables = {
    read: (table, key) => of(table).read(table, key),
    readMany: (table, many) => of(table).readMany(table, many),
    insert: (table, key, row) => of(table).insert(table, key, row),
    replace: (table, key, version, row) => of(table).replace(table, key, version, row),
    remove: (table, key, version) => of(table).remove(table, key, version),
    list: (table, options) => of(table).list(table, options),
    otherCommits: others.tables.otherCommits,
  };
  const all = [keys, forgotten, others];
  return {
    tables,
    inspect: async (signal: AbortSignal): Promise<void> => {
      await Promise.all(all.map(({ database }) => database.inspect(signal)));
    },
    compact: async (): Promise<void> => {
      await Promise.all(all.map(({ compact }) => compact()));
    },
    close: async (): Promise<void> => {
      await Promise.all(all.map(({ close }) => close()));
    },
  };
};

const openTables = (path: string, schema: string, patienceMs: number) => {
  const database = openDocumentFile(path, { synchronous: 'FULL' }, [schema]);
  const changes = threadedCommits<Change, boolean>(TABLES_THREAD, path, database, patienceMs);
  return {
    database,
    tables: sqliteTables(database, changes.add),
    compact: compacting(path),
    close: async (): Promise<void> => {
      await changes.close();
      database.close();
    },
  };
};
