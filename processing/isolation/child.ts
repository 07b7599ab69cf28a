import { Worker } from 'node:worker_threads';
import { createRecogniser, type Recogniser } from '../read/ocr.ts';
import { createStopwatch } from '../stopwatch.ts';
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

process.on('message', async (job: Job) => {
  watch('job');
  const stopwatch = createStopwatch();
  const timed: Recogniser = {
    recognise: (...page) => stopwatch.during('recognise', () => recogniser.recognise(...page)),
  };
  try {
    const outcome = await perform(job, timed, (label) => {
      watch('step');
      if (label === null) stopwatch.enter('understand');
      tell({ kind: 'step', label });
    });
    tell({ kind: 'outcome', outcome, spent: stopwatch.spent() });
  } catch (error) {
    tell({ kind: 'passing', message: (error as Error).stack ?? String(error) });
  } finally {
    watch('idle');
  }
});
process.on('disconnect', () => process.exit(0));
