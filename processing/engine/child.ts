import { Worker } from 'node:worker_threads';
import { createRecogniser, type Recogniser } from '../read/ocr.ts';
import { isLegible } from '../read/quality.ts';
import type { Job, Report, Tick } from './messages.ts';
import { perform } from './perform.ts';
import { stepBack } from './priority.ts';

/**
 * The process in which strangers' bytes are opened: one job at a time, each answered by one outcome. It has no
 * secrets (its environment is empty) and may be killed at any moment. Its argument are its limits, as JSON.
 */
// First of all: threads that start later inherit it, and documents must not slow the API.
stepBack();
const watchdog = new Worker(new URL('./watchdog.js', import.meta.url), {
  workerData: JSON.parse(process.argv[2] ?? ''),
});
watchdog.unref();
const recogniser = createRecogniser();

const watch = (tick: Tick): void => watchdog.postMessage(tick);
const tell = (report: Report): void => {
  process.send?.(report);
};

const watched: Recogniser = {
  recognise: async (...given) => {
    tell({ kind: 'doing', step: 'recognise' });
    const page = await recogniser.recognise(...given);
    tell({ kind: 'doing', step: 'open' });
    if (isLegible(page)) watch('read');
    return page;
  },
};

process.on('message', async (job: Job) => {
  watch('job');
  try {
    const outcome = await perform(job, watched, (label) => {
      // Of what is compared no stranger's bytes are opened.
      watch(job.task === 'compare' ? 'job' : 'step');
      tell({ kind: 'begun', label });
    });
    tell({ kind: 'outcome', outcome });
  } catch (error) {
    tell({ kind: 'passing', message: (error as Error).stack ?? String(error) });
  } finally {
    watch('idle');
  }
});
process.on('disconnect', () => process.exit(0));
