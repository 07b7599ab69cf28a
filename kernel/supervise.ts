import { LeaseLost, StoreDamaged, StoreUnavailable } from './errors.ts';
import type { Report } from './report.ts';
import { jittered, pause } from './signals.ts';

const FIRST_DELAY_MS = 100;
/** Well within the five seconds in which work resumes after an outage. */
export const MAX_DELAY_MS = 2_000;
/** After a run of this length the next failure starts with the shortest delay again. */
const STABLE_MS = 30_000;

/**
 * Runs a loop until the signal is aborted: when it throws or ends, again, after a delay that doubles up to 2
 * s, with jitter. Logs the first failure and the recovery, once each; an outage of a store and a lease that
 * has passed to another process are no failures. A damaged store ends it, since a retry mends nothing. Never
 * rejects.
 */
export const supervise = async (
  name: string,
  run: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  report: Report,
): Promise<void> => {
  let delay = FIRST_DELAY_MS;
  let failure = '';
  while (!signal.aborted) {
    const started = performance.now();
    try {
      const healed = setTimeout(() => {
        if (failure) report.info(`${name} runs again`);
        failure = '';
      }, MAX_DELAY_MS);
      await run(signal).finally(() => clearTimeout(healed));
    } catch (error) {
      if (signal.aborted) return;
      const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      if (error instanceof StoreDamaged)
        return report.error(`${name} ended: a file is damaged`, { err: error });
      if (error instanceof LeaseLost) report.info(`${name} passed to another process`);
      else if (message !== failure) report.error(`${name} stopped and will be started again`, { err: error });
      if (!isExpected(error)) failure = message;
    }
    if (performance.now() - started > STABLE_MS) delay = FIRST_DELAY_MS;
    await pause(jittered(delay), signal);
    delay = Math.min(delay * 2, MAX_DELAY_MS);
  }
};

/** Reported elsewhere, or expected. */
const isExpected = (error: unknown): boolean =>
  error instanceof LeaseLost || error instanceof StoreUnavailable;
