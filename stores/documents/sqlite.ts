import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import type { Report } from '../../kernel/report.ts';
import { checkpointsBeside } from '../sqlite/checkpoints.ts';
import { threadedCommits } from '../sqlite/commitThread.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../sqlite/database.ts';
import { transactions } from '../sqlite/transactions.ts';
import type { DocumentStore } from './port.ts';
import { claimsFrom, dueBounds } from './sqlite/claims.ts';
import { COLLECTIONS, createCollections } from './sqlite/collections.ts';
import { LEASES, leaseRegistry } from './sqlite/leases.ts';
import { CHECKPOINTS, sqliteReadModels } from './sqlite/models.ts';
import { type Change, ROWS, sqliteTables } from './sqlite/tables.ts';

const TABLES_THREAD = new URL('./sqlite/tablesThread.js', import.meta.url);

type Options = Readonly<{ folder: string; clock: Clock; steadyMs?: () => number; patienceMs?: number }> &
  Readonly<{ report?: Report }>;

/**
 * Documents in two SQLite files of `folder`, which is made when missing; several processes may use them at
 * once. `clock` is the store's clock, `steadyMs` that of leases: it is never set, and all processes of the
 * machine share it. A write waits `patienceMs` for other processes' writes, then throws
 * `StoreUnavailable`.
 *
 * What a rebuild can make again is in models.db, whose last commits a loss of power may undo, documents and
 * checkpoints together (leases too: no holder outlives it). What it can't is in tables.db, where
 * each commit is durable.
 */
export const sqliteDocumentStore = ({
  folder,
  clock,
  steadyMs = sinceStart,
  patienceMs = 5_000,
  report,
}: Options): DocumentStore => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'models.db');
  const models = open(path, { synchronous: 'NORMAL', remedy: remake(path) }, [
    COLLECTIONS,
    LEASES,
    CHECKPOINTS,
  ]);
  const checkpoints = checkpointsBeside(path, models, report);
  const tablesPath = join(folder, 'tables.db');
  const tables = open(tablesPath, { synchronous: 'FULL' }, [ROWS]);
  const changes = threadedCommits<Change, boolean>(TABLES_THREAD, tablesPath, tables, patienceMs);
  const collections = createCollections(models);
  const leases = leaseRegistry(models, steadyMs);
  const newest = models.texts<[position: string]>('SELECT max(position) FROM checkpoints');
  const due = dueBounds(clock, steadyMs, () => newest()[0]?.[0] ?? '');
  const claims = claimsFrom(models, collections, leases, due);
  // Leases that end, the claims that follow and what projections write often come in one turn.
  const shared = transactions(models, patienceMs, checkpoints.committed);
  const { transact } = shared;
  return {
    models: sqliteReadModels(models, collections, leases.check, transact),
    tables: sqliteTables(tables, changes.add),
    leases: {
      acquire: (lease, owner, leaseMs) => transact(() => leases.acquire(lease, owner, leaseMs)),
      take: (lease, owner, leaseMs) => transact(() => leases.take(lease, owner, leaseMs)),
      renew: (fence, leaseMs) => transact(() => leases.renew(fence, leaseMs)),
      release: (fence) => transact(() => leases.release(fence)),
      held: async (prefix, options) => leases.held(prefix, options),
      breakAll: () => transact(leases.releaseAll),
      claim: (claim) => transact(() => claims(claim)),
    },
    inspect: async (signal) => {
      await Promise.all([models.inspect(signal), tables.inspect(signal)]);
    },
    close: async () => {
      await Promise.all([shared.close(), changes.close()]);
      await checkpoints.close();
      tables.close();
      models.close();
    },
  };
};

const sinceStart = (): number => Number(process.hrtime.bigint() / 1_000_000n);

const remake = (path: string): string =>
  `stop the service and remove the file, which is made again from the log: rm -f '${path}' '${path}-wal' '${path}-shm'`;

const open = (path: string, options: DatabaseOptions, schema: readonly string[]): Database => {
  const database = openDatabase(path, options);
  database.transaction(() => database.exec(schema.join(';')));
  // From here on it is the callers that wait, not the event loop. 32 MiB cache the upper pages of all
  // indexes.
  database.exec('PRAGMA busy_timeout = 5; PRAGMA cache_size = -32768');
  return database;
};
