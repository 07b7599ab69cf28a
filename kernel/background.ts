import { randomInt } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

export type Background = ReturnType<typeof createBackground>;

/** Work that nobody waits for but a shutdown. `failed` gets what it throws. */
export const createBackground = (failed: (error: unknown) => void) => {
  const running = new Set<Promise<void>>();
  /** What is to start at its moment, by the timer of that. */
  const later = new Map<NodeJS.Timeout, () => void>();
  const run = (work: () => Promise<unknown>): void => {
    const done: Promise<void> = nextTurn()
      .then(work)
      .then(() => undefined, failed)
      .finally(() => running.delete(done));
    running.add(done);
  };
  return {
    /** Starts the work once what is done now, such as an answer, is done. */
    run,
    /** Starts the work at a random moment within so many milliseconds, at a shutdown at once. */
    runWithin: (ms: number, work: () => Promise<unknown>): void => {
      const timer = setTimeout(() => {
        later.delete(timer);
        run(work);
      }, randomInt(ms));
      later.set(timer, () => run(work));
    },
    /** Resolves when all that was started, or is to start, has ended. */
    settled: async (): Promise<void> => {
      for (const [timer, start] of later) {
        clearTimeout(timer);
        later.delete(timer);
        start();
      }
      while (running.size > 0) await Promise.all(running);
    },
  };
};
