import { StoreUnavailable } from '../../kernel/errors.ts';
import { isBusy } from './guard.ts';

type Entry<A, R> = Readonly<{
  item: A;
  until: number;
  resolve(result: R): void;
  reject(error: unknown): void;
}>;

const MAX_BATCH = 256;

/**
 * Gathers what is added in one turn of the event loop, or while a commit is under way, into one `commit`, so
 * that many callers share one fsync. `commit` is all or nothing: when it throws `StoreUnavailable`, every
 * item gets that error; with any other error each item is committed once more, alone. While another process
 * holds the write lock the batch waits, for `patienceMs` at most, without blocking the event loop.
 */
export const groupCommit = <A, R>(
  commit: (items: readonly A[]) => readonly R[] | Promise<readonly R[]>,
  patienceMs: number,
) => {
  const queue: Entry<A, R>[] = [];
  let scheduled = false;
  let closing: Promise<void> | undefined;
  let drained: (() => void) | undefined;

  const schedule = (): void => {
    if (scheduled) return;
    if (queue.length === 0) {
      drained?.();
      return;
    }
    scheduled = true;
    setImmediate(flush);
  };
  const settle = async (batch: readonly Entry<A, R>[]): Promise<void> => {
    const results = await commit(batch.map(({ item }) => item));
    for (const [index, entry] of batch.entries()) entry.resolve(results[index] as R);
  };
  /** Commits a batch; gives those to try again, since another process holds the write lock. */
  const attempt = async (batch: readonly Entry<A, R>[]): Promise<readonly Entry<A, R>[]> => {
    try {
      await settle(batch);
      return [];
    } catch (error) {
      const again: Entry<A, R>[] = [];
      if (batch.length > 1 && !(error instanceof StoreUnavailable))
        for (const entry of batch) again.push(...(await attempt([entry])));
      else
        for (const entry of batch)
          if (isBusy(error) && entry.until > performance.now()) again.push(entry);
          else entry.reject(error);
      return again;
    }
  };
  const flush = async (): Promise<void> => {
    const again = await attempt(queue.splice(0, MAX_BATCH));
    queue.unshift(...again);
    if (again.length > 0) {
      setTimeout(flush, 1 + Math.random() * 5);
      return;
    }
    scheduled = false;
    schedule();
  };

  return {
    /** Resolves once the item's batch is committed. */
    add: (item: A): Promise<R> =>
      new Promise((resolve, reject) => {
        if (closing) return reject(new StoreUnavailable('this store has been closed'));
        queue.push({ item, until: performance.now() + patienceMs, resolve, reject });
        schedule();
      }),
    /** Waits for what was added, and refuses more. */
    close: (): Promise<void> => {
      closing ??= new Promise((resolve) => {
        drained = resolve;
        schedule();
      });
      return closing;
    },
  };
};
