import { workerData } from 'node:worker_threads';
import { serveCommits } from '../../sqlite/commitThread.ts';
import { openDatabase } from '../../sqlite/database.ts';
import { changesOf } from './tables.ts';

// Run by tableFiles.ts in a thread, with the path of a file of tables.

const database = openDatabase(workerData as string, { synchronous: 'FULL', busyMs: 25 });
serveCommits(database, changesOf(database));
