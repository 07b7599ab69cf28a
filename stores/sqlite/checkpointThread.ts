import { workerData } from 'node:worker_threads';
import { serveCommits } from './commitThread.ts';
import { openDatabase } from './database.ts';

// Run by checkpoints.ts in a thread, with the path of a file.

const database = openDatabase(workerData as string, { synchronous: 'NORMAL', busyMs: 5 });
const checkpoint = (mode: string) =>
  database.prepare<[number]>(`PRAGMA wal_checkpoint(${mode})`).get()?.[0] === 0;
// The first two copy nearly all, while others write. These wait for the last, by which the log starts anew:
// else it would grow for as long as they write without a pause. Cutting the file keeps them waiting 3 ms
// more.
serveCommits<'RESTART' | 'TRUNCATE', boolean>(database, (modes) =>
  ['PASSIVE', 'PASSIVE', ...modes].map(checkpoint).slice(2),
);
