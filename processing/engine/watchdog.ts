import { parentPort, workerData } from 'node:worker_threads';
import { createBudget } from './budget.ts';
import { type Limits, MEMORY_SIGNAL, TIME_SIGNAL } from './messages.ts';

/**
 * A thread that ends its process when that exceeds its limits of memory or processor time, or when the
 * service has died. A thread, because a main thread that inflates a decompression bomb runs no timer.
 */
const POLL_MS = 50;

const limits: Limits = workerData;
const service = process.ppid;
const end = (signal: NodeJS.Signals): boolean => process.kill(process.pid, signal);
const budget = createBudget(limits);

parentPort?.on('message', budget.tick);
setInterval(() => {
  if (process.memoryUsage.rss() > limits.memoryBytes) end(MEMORY_SIGNAL);
  if (budget.isSpent()) end(TIME_SIGNAL);
  if (process.ppid !== service) end('SIGKILL');
}, POLL_MS);
