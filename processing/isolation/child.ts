import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { attempt } from '../attempt.ts';
import { createRecogniser } from '../read/ocr.ts';
import type { Job, Report } from './messages.ts';

/**
 * The process in which strangers' bytes are opened: one job at a time, each answered by one report. It has no
 * secrets (its environment is empty) and may be killed at any moment. Argument: its memory limit in bytes.
 */
const BELOW_THE_SERVICE = 10;

// First of all: threads inherit it, and documents must not slow the API.
setPriority(BELOW_THE_SERVICE);
new Worker(new URL('./watchdog.js', import.meta.url), {
  workerData: { limitBytes: Number(process.argv[2]), parent: process.ppid },
}).unref();

const recogniser = createRecogniser();
const tell = (report: Report): void => {
  process.send?.(report);
};

process.on('message', async ({ version, files }: Job) => {
  try {
    const outcome = await attempt(version, files, recogniser, (label) => tell({ kind: 'step', label }));
    tell({ kind: 'outcome', outcome });
  } catch (error) {
    tell({ kind: 'passing', message: (error as Error).stack ?? String(error) });
  }
});
process.on('disconnect', () => process.exit(0));
