import type { Database } from './database.ts';
import { groupCommit } from './groupCommit.ts';

/** Runs `body` on one snapshot of the database; within a transaction, which is one. It must only read. */
export const snapshot = <T>(database: Database, body: () => T): T => {
  if (database.isInTransaction()) return body();
  database.exec('BEGIN');
  try {
    return body();
  } finally {
    database.exec('ROLLBACK'); // there is nothing to keep, and unlike COMMIT it also ends what a failed read left open
  }
};

/** Runs `body` in a transaction, which nobody else can write beside. */
export type Transact = <T>(body: () => T) => Promise<T>;

/**
 * Transactions that wait for those of other processes without blocking the event loop, `patienceMs` at most;
 * then the `StoreUnavailable` goes to the caller. What is added in one turn of the event loop shares one. A
 * body that throws undoes its own writes alone: each is then run once more, in a transaction of its own.
 *
 * Every write must go this way: a statement that writes on its own, and finds the file busy, stays open in
 * libsql and from then on keeps its connection from committing.
 */
export const transactions = (database: Database, patienceMs: number): Transact => {
  const { add } = groupCommit<() => unknown, unknown>(
    (bodies) => database.transaction(() => bodies.map((body) => body())),
    patienceMs,
  );
  return <T>(body: () => T) => add(body) as Promise<T>;
};
