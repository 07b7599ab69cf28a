import { parentPort, workerData } from 'node:worker_threads';
import { answersWithin } from '../../schemas/patterns.ts';
import type { Questions } from './patterns.ts';
import { lowerThreadPriority } from './priority.ts';

/** A thread that matches texts against patterns of workflow versions, and stops at the time limit. */
if (workerData.priority === 'low') lowerThreadPriority();
parentPort?.on('message', ({ questions, ms }: Questions) => {
  parentPort?.postMessage(answersWithin(ms, questions));
});
