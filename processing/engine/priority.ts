import { existsSync, readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

/** As `nice` counts: 0 is the service, 19 the last of all. */
const BELOW_THE_SERVICE = 12;

/** Where Linux lists the threads of a process. */
const THREADS = '/proc/self/task';

/** Puts this process behind the service, wherever both want the same core. */
export const stepBack = (): void => {
  setPriority(BELOW_THE_SERVICE);
  // On Linux that was this thread alone: those that compile and collect garbage have started already.
  if (existsSync(THREADS)) for (const thread of readdirSync(THREADS)) setBack(Number(thread));
};

/** Puts this thread behind all others of the service, where that can be said of one thread: on Linux. */
export const stepThreadBack = (): void => {
  if (existsSync(THREADS)) setPriority(BELOW_THE_SERVICE);
};

const setBack = (thread: number): void => {
  try {
    setPriority(thread, BELOW_THE_SERVICE);
  } catch (error) {
    // It has ended since it was listed.
    if (existsSync(`${THREADS}/${thread}`)) throw error;
  }
};
