import { setTimeout } from 'node:timers/promises';
import { StoreUnavailable } from '../../kernel/errors.ts';
import type { Database } from './database.ts';
import { groupCommit, type Outcome } from './groupCommit.ts';
import { isBusy } from './guard.ts';

/** Runs `body` on one snapshot of the database. It must only read. */
export const snapshot = <T>(database: Database, body: () => T): T => {
  database.exec('BEGIN');
  try {
    return body();
  } finally {
    database.exec('ROLLBACK'); // there is nothing to keep, and unlike COMMIT it also ends what a failed read left open
  }
};

/** Runs `body` in a transaction of its own, which nobody else can write beside. */
export type Transact = <T>(body: () => T) => Promise<T>;

/**
 * Transactions that wait for those of other processes without blocking the event loop, `patienceMs` at most;
 * then the `StoreUnavailable` goes to the caller. Every write must go this way: a statement that writes on
 * its own, and finds the file busy, stays open in libsql and from then on keeps its connection from
 * committing.
 */
export const transactions =
  (database: Database, patienceMs: number): Transact =>
  async (body) => {
    const until = performance.now() + patienceMs;
    for (;;) {
      try {
        return database.transaction(body);
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error;
      }
      await setTimeout(1 + Math.random() * 5);
    }
  };

/**
 * The same, but what is added in one turn of the event loop shares a transaction. A body that throws undoes
 * its own writes alone: each is then run once more, in a transaction of its own. `committed` is called after
 * each commit. `close` waits for all of them, and refuses more.
 */
export const sharedTransactions = (
  database: Database,
  patienceMs: number,
  committed: () => void,
): Readonly<{ transact: Transact; close(): Promise<void> }> => {
  const alone = (body: () => unknown): Outcome<unknown> => {
    try {
      return { result: database.transaction(body) };
    } catch (error) {
      return { error: error as Error };
    }
  };
  const { add, close } = groupCommit<() => unknown, unknown>(async (bodies) => {
    try {
      const results = database.transaction(() => bodies.map((body) => ({ result: body() })));
      committed();
      return results;
    } catch (error) {
      if (bodies.length === 1 || error instanceof StoreUnavailable) throw error;
      return bodies.map(alone);
    }
  }, patienceMs);
  return { transact: <T>(body: () => T) => add(body) as Promise<T>, close };
};
