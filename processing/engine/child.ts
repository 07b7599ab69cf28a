import { Worker } from 'node:worker_threads';
import { perform } from '../attempt.ts';
import type { Line } from '../page.ts';
import { createRecogniser, loadModels, type Recogniser } from '../read/ocr.ts';
import { isLegible } from '../read/quality.ts';
import type { Job, Limits, Report, Tick } from './messages.ts';
import { lowerProcessPriority } from './priority.ts';

/**
 * The process in which untrusted bytes are opened: one job at a time, each answered by one result. It has no
 * secrets (its environment is empty) and may be killed at any moment. Its argument is its limits, as JSON.
 */
const limits: Limits = JSON.parse(process.argv[2] ?? '');
// First, since threads that start later inherit it: documents must not slow the API.
lowerProcessPriority(limits.nice);
const watchdog = new Worker(new URL('./watchdog.js', import.meta.url), { workerData: limits });
watchdog.unref();
const recogniser = createRecogniser(() => loadModels(limits.modelFolder));

const tick = (event: Tick): void => watchdog.postMessage(event);
const report = (message: Report): void => {
  process.send?.(message);
};

/** A page has its whole time as soon as there is text on it, and is not silent while it is read. */
const reporting: Recogniser = {
  recognise: async (picture, fileId, number) => {
    report({ kind: 'step', step: 'recognise' });
    const lines: Line[] = [];
    let isRead = false;
    const recognised = await recogniser.recognise(picture, fileId, number, (text) => {
      report({ kind: 'step', step: 'recognise' });
      lines.push(...text);
      if (isRead || !isLegible({ fileId, number, lines })) return;
      isRead = true;
      tick('read');
    });
    report({ kind: 'step', step: 'open' });
    return recognised;
  },
};

process.on('message', async (job: Job) => {
  tick('job');
  try {
    const result = await perform(job, reporting, (label) => {
      // Comparing opens no untrusted bytes.
      tick(job.task === 'compare' ? 'job' : 'step');
      report({ kind: 'reading', label });
    });
    report({ kind: 'result', result });
  } catch (error) {
    report({ kind: 'failed', message: (error as Error).stack ?? String(error) });
  } finally {
    tick('idle');
  }
});
process.on('disconnect', () => process.exit(0));
