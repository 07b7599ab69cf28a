import { parentPort, workerData } from 'node:worker_threads';
import { answersWithin } from '../../schemas/patterns.ts';
import type { Asked } from './patterns.ts';
import { stepThreadBack } from './priority.ts';

/**
 * A thread that checks texts against patterns of workflow versions, and stops by itself when the time is
 * over.
 */
if (workerData.priority === 'low') stepThreadBack();
parentPort?.on('message', ({ questions, ms }: Asked) => {
  parentPort?.postMessage(answersWithin(ms, questions));
});
