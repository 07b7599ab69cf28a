import { parentPort, Worker } from 'node:worker_threads';
import { StoreDamaged, StoreUnavailable } from '../../kernel/errors.ts';
import type { Database } from './database.ts';
import { groupCommit } from './groupCommit.ts';
import { primaryCode } from './guard.ts';

/** What a thread answers: the outcomes of a batch, or why all of it failed. */
type Answer<R> = Readonly<{ outcomes: readonly R[] } | { failed: Failure }>;
/** An error as a message: errors of our own lose their type on the way. */
type Failure = Readonly<{ message: string; kind: 'damaged' | 'unavailable' | 'other'; rawCode: number }>;
type Waiting<R> = Readonly<{ resolve(outcomes: readonly R[]): void; reject(error: Error): void }>;

/**
 * Commits batches to the file at `path` in a thread of its own, which `script` runs by `serveCommits`; one
 * batch at a time. `commit` throws what the thread's connection throws. A thread that died is started again
 * by the next batch, and what it had under way is `StoreUnavailable`: the outcome is unknown. `database`
 * reads the same file: once either has found damage, neither writes.
 */
export const commitThread = <A, R>(script: URL, path: string, database: Database) => {
  let thread: Worker | null = null;
  let waiting: Waiting<R> | null = null;
  const settle = (act: (waiting: Waiting<R>) => void): void => {
    const settled = waiting;
    waiting = null;
    thread?.unref();
    if (settled) act(settled);
  };
  const start = (): Worker => {
    const started = new Worker(script, { workerData: path });
    const ended = (cause?: Error): void => {
      if (thread !== started) return; // it ends once, with an error or without
      thread = null;
      const error = new StoreUnavailable(`${path}: its thread has ended`, { cause });
      settle(({ reject }) => reject(error));
    };
    started.on('message', (answer: Answer<R>) =>
      settle(({ resolve, reject }) =>
        'failed' in answer ? reject(errorOf(answer.failed, database)) : resolve(answer.outcomes),
      ),
    );
    started.on('error', ended);
    started.on('exit', () => ended());
    return started;
  };
  return {
    commit: async (items: readonly A[]): Promise<readonly R[]> => {
      database.refuseDamaged();
      thread ??= start();
      thread.ref();
      thread.postMessage(items);
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
      });
    },
    /** Ends the thread, when no batch is under way. */
    close: async (): Promise<void> => {
      const closing = thread;
      if (!closing) return;
      // Also of a thread that dies now: what it had under way has its error already.
      const ended = new Promise((resolve) => closing.once('exit', resolve));
      closing.ref();
      closing.postMessage(null);
      await ended;
    },
  };
};

/**
 * As `groupCommit`, but in a `commitThread`: the event loop never waits for the disk. `committed` is called
 * after each commit.
 */
export const threadedCommits = <A, R>(
  script: URL,
  path: string,
  database: Database,
  patienceMs: number,
  committed: (batch: readonly A[], results: readonly R[]) => void = () => undefined,
) => {
  const thread = commitThread<A, R>(script, path, database);
  const { add, close } = groupCommit<A, R>(async (batch) => {
    const results = await thread.commit(batch);
    committed(batch, results);
    return results;
  }, patienceMs);
  return {
    add,
    /** Waits for what was added, and refuses more. */
    close: async (): Promise<void> => {
      await close();
      await thread.close();
    },
  };
};

/** In the thread: commits each batch that is posted, until it is to end. */
export const serveCommits = <A, R>(
  database: Database,
  commit: (items: readonly A[]) => readonly R[],
): void => {
  const answer = (items: readonly A[]): Answer<R> => {
    try {
      return { outcomes: commit(items) };
    } catch (error) {
      return { failed: failureOf(error) };
    }
  };
  parentPort?.on('message', (items: readonly A[] | null) => {
    if (items !== null) return parentPort?.postMessage(answer(items));
    database.close();
    parentPort?.close();
  });
};

const failureOf = (error: unknown): Failure => {
  if (error instanceof StoreDamaged) return { message: error.reason, kind: 'damaged', rawCode: 0 };
  if (!(error instanceof StoreUnavailable)) return { message: String(error), kind: 'other', rawCode: 0 };
  return { message: error.message, kind: 'unavailable', rawCode: primaryCode(error.cause) };
};

const errorOf = ({ message, kind, rawCode }: Failure, database: Database): Error => {
  if (kind === 'damaged') return database.damaged(message);
  if (kind === 'other') return new Error(message);
  return new StoreUnavailable(message, { cause: Object.assign(new Error(message), { rawCode }) });
};
