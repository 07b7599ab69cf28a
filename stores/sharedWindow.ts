import type { Clock } from '../kernel/clock.ts';
import type { Tables } from './documents/port.ts';
import { changeRow } from './documents/rows.ts';

/** `lengthMs`: of a window, from its first count on. A count stops at one above `limit`. */
type Options = Readonly<{ tables: Tables; clock: Clock; table: string; lengthMs: number; limit: number }>;

type Window = Readonly<{ since: string; count: number }>;

/**
 * Counts in windows that all nodes share: gives the count in the current window, this one included, and the
 * milliseconds until the next window. Throws `StoreUnavailable`.
 */
export const sharedWindow = ({ tables, clock, table, lengthMs, limit }: Options) => {
  const remaining = ({ since }: Window): number => Date.parse(since) + lengthMs - clock.now().getTime();
  /** One that starts in the future was written by a clock that has been set back. */
  const isRunning = (window: Window): boolean => {
    const remainingMs = remaining(window);
    return remainingMs > 0 && remainingMs <= 2 * lengthMs;
  };
  return async (key: string): Promise<Readonly<{ count: number; remainingMs: number }>> => {
    const fresh = { since: clock.now().toISOString(), count: 1 };
    const window = await changeRow<Window>(tables, table, key, (found) => {
      if (!found || !isRunning(found)) return fresh;
      return found.count > limit ? null : { ...found, count: found.count + 1 };
    });
    const counted = window ?? fresh;
    return { count: counted.count, remainingMs: remaining(counted) };
  };
};
