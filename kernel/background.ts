import { setImmediate as nextTurn } from 'node:timers/promises';

export type Background = ReturnType<typeof createBackground>;

/** Work that nobody waits for but a shutdown. `failed` gets what it throws. */
export const createBackground = (failed: (error: unknown) => void) => {
  const running = new Set<Promise<void>>();
  return {
    /** Starts the work once what is done now, such as an answer, is done. */
    run: (work: () => Promise<unknown>): void => {
      const done: Promise<void> = nextTurn()
        .then(work)
        .then(() => undefined, failed)
        .finally(() => running.delete(done));
      running.add(done);
    },
    /** Resolves when all that was started has ended. */
    settled: async (): Promise<void> => {
      while (running.size > 0) await Promise.all(running);
    },
  };
};
