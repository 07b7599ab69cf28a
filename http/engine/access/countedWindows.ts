/** Identifiers that a limit keeps; beyond that it drops the one whose window ends first. */
const MAX_KEPT = 10_000;

type Window = { count: number; readonly endsAt: number };

/**
 * Counts in fixed windows from the first count on, in the memory of this process. `resetMs`: to the next one.
 */
export const createLimit = (points: number, seconds: number) => {
  // By the start of their windows: the first one ends first.
  const windows = new Map<string, Window>();
  const current = (id: string, now: number): Window => {
    const found = windows.get(id);
    if (found && found.endsAt > now) return found;
    const window = { count: 0, endsAt: now + seconds * 1_000 };
    windows.delete(id);
    windows.set(id, window);
    const [oldest] = windows.keys();
    if (windows.size > MAX_KEPT && oldest !== undefined) windows.delete(oldest);
    return window;
  };
  return {
    count: (id: string) => {
      const now = Math.floor(performance.now()); // fractions would round up to a second more
      const window = current(id, now);
      window.count += 1;
      const { count, endsAt } = window;
      return { exceeded: count > points, remaining: Math.max(0, points - count), resetMs: endsAt - now };
    },
    /** What remains, without counting one. */
    standing: (id: string) => {
      const now = Math.floor(performance.now());
      const { count, endsAt } = current(id, now);
      return { remaining: Math.max(0, points - count), resetMs: endsAt - now };
    },
    giveBack: (id: string): void => {
      current(id, Math.floor(performance.now())).count -= 1;
    },
  };
};
