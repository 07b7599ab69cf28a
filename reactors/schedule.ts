import { schedule } from 'node-cron';

/**
 * Runs `run` at once and then whenever the cron pattern says so, never twice at a time: a time that comes during a run is passed over. Ends
 * when the signal is aborted and the run under way has ended; throws what a run throws.
 */
export const onSchedule = async (
  pattern: string,
  run: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> => {
  let wake = (): void => undefined;
  const ring = (): void => wake();
  signal.addEventListener('abort', ring);
  // In UTC no hour comes twice or not at all.
  const job = schedule(pattern, ring, { timezone: 'UTC', suppressMissedWarning: true });
  // A time that the process was too busy to keep is made up for.
  job.on('execution:missed', ring);
  try {
    while (!signal.aborted) {
      await run(signal);
      const rung = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (!signal.aborted) await rung;
    }
  } finally {
    signal.removeEventListener('abort', ring);
    await job.destroy();
  }
};
