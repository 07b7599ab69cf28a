import type { Database } from './database.ts';

type Waiting = Readonly<{ state: string; wake(): void }>;

const POLL_MS = 20;

/**
 * Watches a database for those who wait for its next change; polls only while somebody does. Commits of other
 * connections and processes are noticed within 20 ms.
 */
export const watchChanges = (database: Database) => {
  // SQLite's data_version moves with the commits of every other connection, and never with those of its own.
  const dataVersion = database.prepare<[number]>('PRAGMA data_version');
  const waiting = new Set<Waiting>();
  let commits = 0;
  let timer: NodeJS.Timeout | undefined;

  const now = (): string => `${commits}.${dataVersion.get()?.[0]}`;
  const state = (): string | null => {
    try {
      return now();
    } catch {
      return null; // wakes all waiters: their next read throws the same error to its caller
    }
  };
  const poll = (): void => {
    const present = state();
    for (const waiter of waiting) if (waiter.state !== present) waiter.wake();
  };
  const leave = (waiter: Waiting): void => {
    waiting.delete(waiter);
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    /** The present state; to be taken before reading. */
    now,
    /** Reports a commit on this connection. */
    notify: (): void => {
      commits += 1;
      for (const waiter of waiting) waiter.wake();
    },
    /** Resolves once the state is another than this one, or the signal is aborted. */
    after: (before: string, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const wake = (): void => {
          leave(waiter);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const waiter = { state: before, wake };
        // Commits of others since then are noticed at the next poll.
        if (signal.aborted || !before.startsWith(`${commits}.`)) return resolve();
        signal.addEventListener('abort', wake);
        waiting.add(waiter);
        timer ??= setInterval(poll, POLL_MS);
      }),
  };
};
