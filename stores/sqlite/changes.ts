import type { Database } from './database.ts';

/**
 * Tells when a database file has changed. `now` names its present state; take it before reading. `after`
 * resolves once the state is another than the one named, or the signal is aborted. `notify` reports a commit
 * on this connection; commits of other connections and processes are noticed within 20 ms.
 */
type Changes = Readonly<{
  now(): string;
  after(state: string, signal: AbortSignal): Promise<void>;
  notify(): void;
}>;

type Waiting = Readonly<{ state: string; wake(): void }>;

const POLL_MS = 20;

/** Watches a database for those who wait for its next change; polls only while somebody does. */
export const watchChanges = (database: Database): Changes => {
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
    now,
    notify: () => {
      commits += 1;
      for (const waiter of waiting) waiter.wake();
    },
    after: (known, signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          leave(waiter);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const waiter = { state: known, wake };
        if (signal.aborted || known !== state()) return resolve();
        signal.addEventListener('abort', wake);
        waiting.add(waiter);
        timer ??= setInterval(poll, POLL_MS);
      }),
  };
};
