import type { Clock } from '../kernel/clock.ts';
import { groupBy } from '../kernel/groupBy.ts';
import { ulidFrom } from '../kernel/ids.ts';
import type { Report } from '../kernel/report.ts';
import { settleAll } from '../kernel/settleAll.ts';
import { submissionOfUpload, UPLOADS, uploadKey, uploadsOf } from '../stores/objects/keys.ts';
import type { ObjectStore } from '../stores/objects/port.ts';

type RemovalPorts = Readonly<{
  objects: Pick<ObjectStore, 'uploads' | 'removeAll' | 'inParts'>;
  clock: Clock;
  report: Report;
  /** How long a session lives, in milliseconds. */
  sessionTtlMs: number;
  /**
   * Whether a submission's files are settled by its log: it was submitted, or has ended; null: it is unknown.
   */
  isSettled(submissionId: string): Promise<boolean | null>;
  /** So many uploads were removed. */
  onRemoved(count: number): void;
}>;

const AT_ONCE = 32;
/** After a long stop there may be millions: the rest of the sweep must not wait for them. */
const PAGES = 30;

/**
 * Removes the uploads of ended sessions, the oldest first: never submitted, uploaded after the submit or a
 * redaction, or left in parts; with every version of them. So are uploads in parts that have none, of
 * sessions that a crash kept from being opened. Each call resumes where the last one stopped. Uploads that
 * can't be removed are reported and tried again later. Throws `StoreUnavailable`.
 */
export const createUploadRemoval = ({ objects, clock, report, sessionTtlMs, ...ports }: RemovalPorts) => {
  const { inParts } = objects;
  const whole = resuming(async (after) => (await objects.uploads(after, AT_ONCE)).map((key) => ({ key })));
  const unfinished = resuming((after) => inParts.unfinished(UPLOADS, after, AT_ONCE));
  return async (signal: AbortSignal): Promise<void> => {
    // Keys start with the time at which their session was opened.
    const opened = ulidFrom(new Date(clock.now().getTime() - sessionTtlMs));
    const end = uploadKey(`sub_${opened}`, '');
    let removed = 0;
    const dropEmpty = async ({ key, uploadId }: Listed): Promise<void> => {
      if (uploadId === undefined || (await inParts.parts({ key, uploadId }))?.length !== 0) return;
      await inParts.drop({ key, uploadId });
      removed += 1;
    };
    const removeOf = async ([submissionId, due]: readonly [string, readonly Listed[]]): Promise<void> => {
      const isSettled = await ports.isSettled(submissionId);
      if (isSettled === null) for (const upload of due) await dropEmpty(upload);
      const count = isSettled ? await objects.removeAll(uploadsOf(submissionId)) : 0;
      removed += count;
    };
    const remove = (due: readonly Listed[]): Promise<void> => {
      const own = due.filter(({ key }) => submissionOfUpload(key) !== null);
      const submissions = groupBy(own, ({ key }) => String(submissionOfUpload(key)));
      return settleAll([...submissions], removeOf, ([submissionId], err) =>
        report.error('uploads could not be removed, and are kept', { submissionId, err }),
      );
    };
    try {
      await whole(end, remove, signal);
      await unfinished(end, remove, signal);
    } finally {
      if (removed > 0) {
        ports.onRemoved(removed);
        report.info('uploads of ended sessions were removed', { uploads: removed });
      }
    }
  };
};

/** An upload; one that is unfinished has an identifier. */
type Listed = Readonly<{ key: string; uploadId?: string }>;

/** Hands on what is listed before `end`, page by page; each call resumes where the last one stopped. */
const resuming = (list: (after: string) => Promise<readonly Listed[]>) => {
  let after = '';
  return async (
    end: string,
    work: (due: readonly Listed[]) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> => {
    for (let page = 0; page < PAGES && !signal.aborted; page += 1) {
      const due = (await list(after)).filter(({ key }) => key < end);
      await work(due);
      after = due.length === AT_ONCE ? (due.at(-1)?.key ?? '') : '';
      if (after === '') return;
    }
  };
};
