import type { Clock } from '../kernel/clock.ts';
import type { Tables } from './documents/port.ts';
import { changeRow } from './documents/rows.ts';

/** `lengthMs`: of a window, from its first count on. Nobody is counted beyond `most` and one. */
type Options = Readonly<{ tables: Tables; clock: Clock; table: string; lengthMs: number; most: number }>;

/** The count in the current window, this one included, and the milliseconds until the next window. */
export type Counted = Readonly<{ count: number; msLeft: number }>;

type Window = Readonly<{ since: string; count: number }>;

/** Counts in windows that all nodes share. Throws `StoreUnavailable`. */
export const sharedWindow = ({ tables, clock, table, lengthMs, most }: Options) => {
  const msLeftOf = ({ since }: Window): number => Date.parse(since) + lengthMs - clock.now().getTime();
  /** One that starts in the future was written by a clock that has been set back. */
  const isRunning = (window: Window): boolean => {
    const msLeft = msLeftOf(window);
    return msLeft > 0 && msLeft <= 2 * lengthMs;
  };
  return async (who: string): Promise<Counted> => {
    const fresh = { since: clock.now().toISOString(), count: 1 };
    const window = await changeRow<Window>(tables, table, who, (found) => {
      if (!found || !isRunning(found)) return fresh;
      return found.count > most ? null : { ...found, count: found.count + 1 };
    });
    const { count, since } = window ?? fresh;
    return { count, msLeft: msLeftOf({ count, since }) };
  };
};
