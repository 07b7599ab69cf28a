import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from './database.ts';
import { groupCommit } from './groupCommit.ts';
import type { Transact } from './transactions.ts';

/**
 * `gatherMs`: how long a transaction stays open after the last that joined it, `MOST_GATHERS` times as long
 * in all; 0 commits each by itself. `committed` is called after each commit. `undone`: a commit failed whose
 * transactions had been answered; `recover` is run first in the next one.
 */
type Options = Readonly<{
  patienceMs: number;
  gatherMs: number;
  committed(): void;
  undone(error: unknown): void;
  recover(): void;
}>;

/** A busy service gathers for so many times as long as it waits for one more. */
const MOST_GATHERS = 5;
/** Between two that stay open, other processes that wait for the file get their turn. */
const GAP_MS = 8;
/** For so long after another process has written, none stays open. */
const SHARED_MS = 10_000;

/**
 * As `transactions`, for what can be made again: a transaction is answered once it is done, and stays open
 * for those that follow, so that pages which many of them change are written once. Reads on this connection
 * see it at once, other connections once it is committed. A crash takes no more than a loss of power may take
 * anyway, and a commit that fails undoes all that shared it. To be used by the one process that serves the
 * file; where another writes all the same, each commits by itself.
 */
export const gatheredTransactions = (database: Database, options: Options) => {
  const { patienceMs, gatherMs, committed, undone, recover } = options;
  const version = database.prepare<[number]>('PRAGMA data_version');
  const versionNow = (): number => version.get()?.[0] ?? 0;
  let known = versionNow();
  let sharedUntil = 0;
  let pauses = 0;
  let isUndone = false;
  let [begunAt, endedAt] = [0, 0];
  /** While a transaction is open. */
  let timer: NodeJS.Timeout | null = null;

  const lose = (error: unknown): void => {
    isUndone = true;
    undone(error);
  };
  const close = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    endedAt = performance.now();
  };
  const end = (): void => {
    if (timer === null) return;
    close();
    try {
      database.commit();
    } catch (error) {
      lose(error);
      return;
    }
    committed();
  };
  const mayGather = (): boolean => {
    const now = versionNow();
    if (now !== known && pauses === 0) sharedUntil = performance.now() + SHARED_MS;
    known = now;
    return gatherMs > 0 && pauses === 0 && !isUndone && performance.now() >= sharedUntil;
  };
  const alone = <T>(bodies: readonly (() => T)[]): readonly T[] => {
    end();
    const results = database.transaction(() => {
      if (isUndone) recover();
      return bodies.map((body) => body());
    });
    isUndone = false;
    committed();
    return results;
  };
  const joined = <T>(bodies: readonly (() => T)[]): readonly T[] => {
    if (timer === null) {
      database.begin();
      begunAt = performance.now();
      timer = setTimeout(end, gatherMs);
    } else if (performance.now() < begunAt + (MOST_GATHERS - 1) * gatherMs) timer.refresh();
    try {
      return database.part(() => bodies.map((body) => body()));
    } catch (error) {
      if (!database.isInTransaction()) {
        close(); // a full disk has undone all of it
        lose(error);
      }
      throw error;
    }
  };
  const group = groupCommit<() => unknown, unknown>(async (bodies) => {
    if (gatherMs > 0 && timer === null) {
      const gap = endedAt + GAP_MS - performance.now();
      if (gap > 0) await wait(gap);
    }
    return mayGather() ? joined(bodies) : alone(bodies);
  }, patienceMs);
  return {
    transact: ((body) => group.add(body)) as Transact,
    /** Runs what needs the file for itself: until it is done, no transaction stays open. */
    aside: async <T>(work: () => Promise<T>): Promise<T> => {
      end();
      pauses += 1;
      try {
        return await work();
      } finally {
        pauses -= 1;
        known = versionNow();
      }
    },
    /** Waits for what was added, and refuses more. */
    close: async (): Promise<void> => {
      await group.close();
      end();
    },
  };
};
