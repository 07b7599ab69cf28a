import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../runtime/clock.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../sqlite/database.ts';
import { groupCommit } from '../sqlite/groupCommit.ts';
import { transactions } from '../sqlite/transact.ts';
import type { DocumentStore } from './port.ts';
import { claimsFrom } from './sqlite/claims.ts';
import { COLLECTIONS, collections } from './sqlite/collections.ts';
import { LEASES, leaseBook } from './sqlite/leaseBook.ts';
import { sqliteLeases } from './sqlite/leases.ts';
import { CHECKPOINTS, sqliteReadModels } from './sqlite/models.ts';
import { type Change, ROWS, sqliteTables } from './sqlite/tables.ts';

type Options = Readonly<{ folder: string; clock: Clock; patienceMs?: number }>;

/**
 * Documents in two SQLite files of `folder`, which is made when missing; several processes may use them at once.
 * `clock` is the store's clock. A write waits `patienceMs` for other processes' writes, then throws `StoreUnavailable`.
 *
 * What a rebuild can make again is in models.db, whose last commits a loss of power may undo, documents and checkpoints
 * together (leases too: nobody who held one outlives it). What it can't is in tables.db, where each commit is durable.
 */
export const sqliteDocumentStore = ({ folder, clock, patienceMs = 5_000 }: Options): DocumentStore => {
  mkdirSync(folder, { recursive: true });
  const models = open(join(folder, 'models.db'), { synchronous: 'NORMAL', remedy: REMAKE }, [
    COLLECTIONS,
    LEASES,
    CHECKPOINTS,
  ]);
  const tables = open(join(folder, 'tables.db'), { synchronous: 'FULL' }, [ROWS]);
  // A destroyed key must not stay behind in free pages.
  tables.exec('PRAGMA secure_delete = ON');
  const books = collections(models);
  const leases = leaseBook(models, clock);
  const claims = claimsFrom(models, books, leases, clock);
  const transact = transactions(models, patienceMs);
  const changes = groupCommit<Change, boolean>(
    (batch) => tables.transaction(() => batch.map((change) => ({ result: change() }))),
    patienceMs,
  );
  return {
    models: sqliteReadModels(models, books, leases.holds, transact),
    tables: sqliteTables(tables, changes.add),
    leases: sqliteLeases(leases, claims, clock, transact),
    close: async () => {
      await changes.close();
      tables.close();
      models.close();
    },
  };
};

const REMAKE =
  'stop the service and remove the file, and what stands beside it under its name: it is made again from the log';

const open = (path: string, options: DatabaseOptions, schema: readonly string[]): Database => {
  const database = openDatabase(path, options);
  database.transaction(() => database.exec(schema.join(';')));
  // From here on it is the callers that wait, not the event loop. 32 MiB keep the upper parts of all indexes at hand.
  database.exec('PRAGMA busy_timeout = 5; PRAGMA cache_size = -32768');
  return database;
};
