import { setTimeout as wait } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { StoreUnavailable } from '../../kernel/errors.ts';
import { openDatabase } from './database.ts';
import { mergeWords } from './mergeWords.ts';
import { scrub } from './scrub.ts';

// Run by compact.ts in a thread, with the path of a file.

const path = workerData as string;
const PATIENCE_MS = 30_000;
const CHECKPOINT_MS = 1_000;
const RETRY_MS = 100;

const database = openDatabase(path, { synchronous: 'FULL', busyMs: PATIENCE_MS });
const checkpoint = database.prepare<[isBusy: number]>('PRAGMA wal_checkpoint(TRUNCATE)');
try {
  mergeWords(database);
  scrub(database);
  // Others must not wait for a checkpoint that waits for those who read.
  database.exec(`PRAGMA busy_timeout = ${CHECKPOINT_MS}`);
  for (const end = performance.now() + PATIENCE_MS; checkpoint.all()[0]?.[0] !== 0; await wait(RETRY_MS))
    if (performance.now() > end)
      throw new StoreUnavailable(`${path} is read without a pause: its write-ahead log can’t be cleared`);
} finally {
  database.close();
}
