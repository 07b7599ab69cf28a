import { workerData } from 'node:worker_threads';
import { serveCommits } from '../../sqlite/commitThread.ts';
import { openDatabase } from '../../sqlite/database.ts';
import { changesOf } from './tables.ts';

// Run by sqlite.ts in a thread, with the path of tables.db.

const database = openDatabase(workerData as string, { synchronous: 'FULL', busyMs: 25 });
serveCommits(database, changesOf(database));
