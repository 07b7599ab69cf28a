import type { Clock } from '../kernel/clock.ts';
import { ulidFrom } from '../kernel/ids.ts';
import type { Report } from '../kernel/report.ts';
import { settleAll } from '../kernel/settleAll.ts';
import { submissionOfUpload, uploadKey } from '../stores/objects/keys.ts';
import type { ObjectStore } from '../stores/objects/port.ts';

type RemovalPorts = Readonly<{
  objects: Pick<ObjectStore, 'uploads' | 'remove'>;
  clock: Clock;
  report: Report;
  /** How long a session lives, in milliseconds. */
  sessionTtlMs: number;
  /** Whether a submission's files are settled by its log: it was submitted, or has ended. */
  isSettled(submissionId: string): Promise<boolean>;
  /** So many uploads were removed. */
  onRemoved(count: number): void;
}>;

const AT_ONCE = 32;
/** After a long stop there may be millions: the rest of the sweep must not wait for them. */
const PAGES = 30;

/**
 * Removes the uploads of ended sessions, the oldest first: never submitted, or uploaded after the submit.
 * Each call resumes where the last one stopped. An upload that can't be removed is reported and tried again
 * later. Throws `StoreUnavailable`.
 */
export const createUploadRemoval = ({ objects, clock, report, sessionTtlMs, ...ports }: RemovalPorts) => {
  let after = '';
  return async (signal: AbortSignal): Promise<void> => {
    // Keys start with the time at which their session was opened.
    const opened = ulidFrom(new Date(clock.now().getTime() - sessionTtlMs));
    const end = uploadKey(`sub_${opened}`, '');
    let removed = 0;
    const remove = async (key: string): Promise<void> => {
      const submissionId = submissionOfUpload(key);
      if (submissionId === null || !(await ports.isSettled(submissionId))) return;
      await objects.remove(key);
      removed += 1;
    };
    try {
      for (let page = 0; page < PAGES && !signal.aborted; page += 1) {
        const keys = await objects.uploads(after, AT_ONCE);
        const due = keys.filter((key) => key < end);
        await settleAll(due, remove, (key, err) =>
          report.error('an upload could not be removed, and is kept', { upload: key, err }),
        );
        after = due.length === AT_ONCE ? (due.at(-1) ?? '') : '';
        if (after === '') return;
      }
    } finally {
      if (removed > 0) {
        ports.onRemoved(removed);
        report.info('uploads of ended sessions were removed', { uploads: removed });
      }
    }
  };
};
