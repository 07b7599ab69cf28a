import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../runtime/clock.ts';
import { openDatabase } from '../sqlite/database.ts';
import type { DocumentStore } from './port.ts';
import { collections } from './sqlite/collections.ts';
import { groupCommit } from './sqlite/groupCommit.ts';
import { leaseBook } from './sqlite/leaseBook.ts';
import { sqliteLeases } from './sqlite/leases.ts';
import { sqliteReadModels } from './sqlite/models.ts';
import { sqliteTables } from './sqlite/tables.ts';

/**
 * Documents in two SQLite files of `folder`, which is made when missing; several processes may use them at once.
 * `clock` is the store's clock. Throws `StoreUnavailable` when the files can't be used.
 *
 * What a rebuild can make again is in models.db, whose last commits a loss of power may undo, documents and checkpoints
 * together (leases too: nobody who held one outlives it). What it can't is in tables.db, where each commit is durable.
 */
export const sqliteDocumentStore = ({ folder, clock }: { folder: string; clock: Clock }): DocumentStore => {
  mkdirSync(folder, { recursive: true });
  const models = openDatabase(join(folder, 'models.db'), { synchronous: 'NORMAL' });
  const tables = openDatabase(join(folder, 'tables.db'), { synchronous: 'FULL' });
  const books = collections(models);
  const leases = leaseBook(models, clock);
  const write = groupCommit(tables);
  return {
    models: sqliteReadModels(models, books, leases.holds),
    tables: sqliteTables(tables, write),
    leases: sqliteLeases(models, books, leases, clock),
    close: async () => {
      await write(() => undefined); // what was asked for before is committed first
      tables.close();
      models.close();
    },
  };
};
