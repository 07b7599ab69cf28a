import type { Clock } from '../kernel/clock.ts';
import type { Tables } from './documents/port.ts';

/** What is counted, in which table, and for how long, in milliseconds, from the first one on; nobody is counted beyond `most` and one. */
type Options = Readonly<{ tables: Tables; clock: Clock; table: string; lengthMs: number; most: number }>;

/** How many were counted in the running window, this one included, and the milliseconds until the next one. */
export type Counted = Readonly<{ count: number; msLeft: number }>;

type Window = Readonly<{ since: string; count: number }>;

/** Counts in windows that all nodes share. Throws `StoreUnavailable`. */
export const sharedWindow = ({ tables, clock, table, lengthMs, most }: Options) => {
  const runningIn = (window: Window | undefined): Counted | null => {
    if (!window) return null;
    const msLeft = Date.parse(window.since) + lengthMs - clock.now().getTime();
    // One that begins in the future was written by a clock that has been set back.
    return msLeft > 0 && msLeft <= 2 * lengthMs ? { count: window.count, msLeft } : null;
  };
  return async (who: string): Promise<Counted> => {
    for (;;) {
      const found = await tables.read<Window>(table, who);
      const running = runningIn(found?.row);
      if (running && running.count > most) return running;
      const since = running ? found?.row.since : clock.now().toISOString();
      const row = { since, count: (running?.count ?? 0) + 1 };
      const won = await (found
        ? tables.replace(table, who, found.version, row)
        : tables.insert(table, who, row));
      if (won) return { count: row.count, msLeft: running?.msLeft ?? lengthMs };
    }
  };
};
