import { statSync } from 'node:fs';
import type { Report } from '../../kernel/report.ts';
import { commitThread } from './commitThread.ts';
import type { Database } from './database.ts';

/** The size of a write-ahead log in bytes from which it is copied into its file, and starts anew. */
const MAX_LOG_BYTES = 8_000_000;
const SCRIPT = new URL('./checkpointThread.js', import.meta.url);

type Aside = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Moves the checkpoints of the file at `path` from `database` into a thread, so that the event loop does not
 * wait for the disk: only they do where `synchronous` is NORMAL. `aside` runs them.
 */
export const checkpointsBeside = (
  path: string,
  database: Database,
  report?: Pick<Report, 'warn'>,
  aside: Aside = (work) => work(),
) => {
  database.exec('PRAGMA wal_autocheckpoint = 0');
  const thread = commitThread<'RESTART' | 'TRUNCATE', boolean>(SCRIPT, path, database);
  let underWay: Promise<unknown> | null = null;
  let lastBytes = 0;
  let dueAt = MAX_LOG_BYTES;
  return {
    /** To be called after each commit. */
    committed: (): void => {
      if (underWay || bytesOf(`${path}-wal`) < dueAt) return;
      underWay = aside(() => thread.commit([lastBytes < 2 * MAX_LOG_BYTES ? 'RESTART' : 'TRUNCATE']))
        .catch((err) => {
          report?.warn('a write-ahead log was not copied into its file, and grows', { path, err });
          return [false];
        })
        .then(([hasStartedAnew]) => {
          lastBytes = bytesOf(`${path}-wal`);
          // Such a log grows only once it is full again. One that others still read can't start anew: to ask
          // at each commit would keep the writers waiting.
          dueAt = Math.max(MAX_LOG_BYTES, lastBytes + (hasStartedAnew ? 1 : MAX_LOG_BYTES));
          underWay = null;
        });
    },
    close: async (): Promise<void> => {
      await underWay;
      await thread.close();
    },
  };
};

const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
