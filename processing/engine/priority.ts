import { existsSync, readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A nice value: 0 is the service, 19 the lowest priority. */
export const NICE = 12;

/** Where Linux lists the threads of a process. */
const THREADS = '/proc/self/task';

/** Gives this process a lower priority than the service: a nice value. */
export const lowerProcessPriority = (nice: number): void => {
  setPriority(nice);
  // On Linux that was this thread alone: those that compile and collect garbage have started already.
  if (existsSync(THREADS)) for (const thread of readdirSync(THREADS)) lower(Number(thread), nice);
};

/** Gives this thread a lower priority than the service's others, on Linux, where threads have their own. */
export const lowerThreadPriority = (): void => {
  if (existsSync(THREADS)) setPriority(NICE);
};

const lower = (thread: number, nice: number): void => {
  try {
    setPriority(thread, nice);
  } catch (error) {
    // It may have ended since it was listed.
    if (existsSync(`${THREADS}/${thread}`)) throw error;
  }
};
