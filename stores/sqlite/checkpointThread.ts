import { workerData } from 'node:worker_threads';
import { serveCommits } from './commitThread.ts';
import { openDatabase } from './database.ts';

// Run by checkpoints.ts in a thread, with the path of a file.

const database = openDatabase(workerData as string, { synchronous: 'NORMAL', busyMs: 5 });
// The first copies nearly all, while others write. They wait for the second, which has little left to copy;
// without it the log would grow for as long as they write without a pause.
const passive = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
const truncate = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
serveCommits<null, null>(database, () => {
  passive.all();
  truncate.all();
  return [];
});
