import { StoreUnavailable } from '../../kernel/errors.ts';
import { isBusy } from './guard.ts';

/** What became of one item of a batch: a result, or an error that concerns this item alone. */
export type Outcome<R> = Readonly<{ result: R } | { error: Error }>;

type Entry<A, R> = Readonly<{
  item: A;
  until: number;
  resolve(result: R): void;
  reject(error: unknown): void;
}>;

const MAX_BATCH = 256;

/**
 * Gathers what is added in one turn of the event loop, or while a commit is under way, into one `commit`, so
 * that many callers share one fsync. `commit` is all or nothing: when it throws, every item of the batch gets
 * that error.
 * While another process holds the write lock the batch waits, for `patienceMs` at most, without blocking the
 * event loop.
 */
export const groupCommit = <A, R>(
  commit: (items: readonly A[]) => Promise<readonly Outcome<R>[]>,
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
  const flush = async (): Promise<void> => {
    const batch = queue.splice(0, MAX_BATCH);
    try {
      settle(batch, await commit(batch.map((entry) => entry.item)));
    } catch (error) {
      const patient = isBusy(error) ? batch.filter((entry) => entry.until > performance.now()) : [];
      for (const entry of batch) if (!patient.includes(entry)) entry.reject(error);
      if (patient.length > 0) {
        queue.unshift(...patient);
        setTimeout(flush, 1 + Math.random() * 5);
        return;
      }
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

const settle = <A, R>(batch: readonly Entry<A, R>[], outcomes: readonly Outcome<R>[]): void => {
  for (const [index, entry] of batch.entries()) {
    const outcome = outcomes[index];
    if (outcome && 'result' in outcome) entry.resolve(outcome.result);
    else entry.reject(outcome?.error ?? new Error('the commit gave no outcome for this item'));
  }
};
