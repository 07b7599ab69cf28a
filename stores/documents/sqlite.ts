import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import type { Report } from '../../kernel/report.ts';
import { checkpointsBeside } from '../sqlite/checkpoints.ts';
import { compacting } from '../sqlite/compact.ts';
import { gatheredTransactions } from '../sqlite/gathered.ts';
import type { DocumentStore } from './port.ts';
import { claimsFrom, dueBounds } from './sqlite/claims.ts';
import { COLLECTIONS, createCollections } from './sqlite/collections.ts';
import { openDocumentFile } from './sqlite/documentFile.ts';
import { LEASES, leaseRegistry } from './sqlite/leases.ts';
import { CHECKPOINTS, sqliteReadModels } from './sqlite/models.ts';
import { tableFiles } from './sqlite/tableFiles.ts';

type Options = Readonly<{ folder: string; clock: Clock; steadyMs?: () => number; patienceMs?: number }> &
  Readonly<{ report?: Report; gatherMs?: number }>;

/**
 * Documents in SQLite files of `folder`, which is made when missing; several processes may use them at
 * once. `clock` is the store's clock, `steadyMs` that of leases: it is never set, and all processes of the
 * machine share it. A write waits `patienceMs` for other processes' writes, then throws
 * `StoreUnavailable`. `gatherMs` is for the one process that serves the folder: what it writes to models.db
 * is committed together, and seen by others, after so long without more of it; by default at once.
 *
 * What a rebuild can make again is in models.db, whose last commits a loss of power may undo, documents and
 * checkpoints together (leases too: no holder outlives it). What it can't is in tables.db, keys.db
 * (sealing keys) and forgotten.db (the ledger of destroyed ones), where each commit is durable.
 */
export const sqliteDocumentStore = ({
  folder,
  clock,
  steadyMs = sinceStart,
  patienceMs = 5_000,
  report,
  gatherMs = 0,
}: Options): DocumentStore => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'models.db');
  const files = tableFiles(folder, patienceMs);
  const options = { synchronous: 'NORMAL', remedy: remake(path) } as const;
  const models = openDocumentFile(path, options, [COLLECTIONS, LEASES, CHECKPOINTS]);
  const collections = createCollections(models);
  const leases = leaseRegistry(models, steadyMs);
  const compactModels = compacting(path);
  const newest = models.texts<[position: string]>('SELECT max(position) FROM checkpoints');
  const due = dueBounds(clock, steadyMs, () => newest()[0]?.[0] ?? '');
  const claims = claimsFrom(models, collections, leases, due);
  const { transact, aside, ...shared } = gatheredTransactions(models, {
    ...{ patienceMs, gatherMs },
    committed: () => checkpoints.committed(),
    undone: (err) =>
      report?.warn('the newest writes to the read models were undone; they are made again from the log', {
        ...{ path, err },
      }),
    recover: leases.endOwn,
  });
  const checkpoints = checkpointsBeside(path, models, report, aside);
  return {
    models: sqliteReadModels(models, collections, leases.check, transact),
    tables: files.tables,
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
      await Promise.all([models.inspect(signal), files.inspect(signal)]);
    },
    compact: async () => {
      await Promise.all([aside(compactModels), files.compact()]);
    },
    close: async () => {
      await Promise.all([shared.close(), files.close()]);
      await checkpoints.close();
      models.close();
    },
  };
};

const sinceStart = (): number => Number(process.hrtime.bigint() / 1_000_000n);

const remake = (path: string): string =>
  `stop the service and remove the file, which is made again from the log: rm -f '${path}' '${path}-wal' '${path}-shm'`;
