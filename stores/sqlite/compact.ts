import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../../kernel/errors.ts';

const SCRIPT = new URL('./compactThread.js', import.meta.url);

/**
 * Removes from the SQLite file at `path`, and the files beside it, what its rows no longer hold, in a thread:
 * every connection that writes must have `secure_delete`. Calls while one runs share the next run. Throws
 * `StoreUnavailable`.
 */
export const compacting = (path: string): (() => Promise<void>) => {
  let underWay: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;
  const run = (): Promise<void> => {
    next = null;
    const done = compact(path);
    underWay = done.catch(() => undefined);
    return done;
  };
  return () => {
    next ??= underWay.then(run);
    return next;
  };
};

const compact = async (path: string): Promise<void> => {
  const thread = new Worker(SCRIPT, { workerData: path });
  try {
    const [code] = await once(thread, 'exit'); // rejects with what the thread throws
    if (code !== 0) throw new Error(`its thread ended with ${code}`);
  } catch (cause) {
    throw new StoreUnavailable(`${path} could not be compacted: ${(cause as Error).message}`, { cause });
  }
};
