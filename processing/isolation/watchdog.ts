import { parentPort, workerData } from 'node:worker_threads';
import { MEMORY_SIGNAL } from './messages.ts';

const EVERY_MS = 50;

/**
 * A thread that ends its process when that takes more than `workerData.limitBytes` of memory, or when its parent
 * has died. A thread, because a main thread that inflates a bomb comes to no timer.
 */
const watch = (limitBytes: number, parent: number): void => {
  setInterval(() => {
    if (process.memoryUsage.rss() > limitBytes) process.kill(process.pid, MEMORY_SIGNAL);
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, EVERY_MS);
};

if (parentPort) watch(workerData.limitBytes, workerData.parent);
