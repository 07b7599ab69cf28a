import { LRUCache } from 'lru-cache';
import type { Submission } from '../../domain/submission/state.ts';
import type { Clock } from '../../kernel/clock.ts';
import { fileOf } from '../../projections/submissionAnswers.ts';
import { labelledName } from '../../schemas/labelledName.ts';
import type { SubmissionDetail } from '../../schemas/submissions.ts';
import { evidenceKey } from '../../stores/objects/keys.ts';
import type { ObjectStore } from '../../stores/objects/port.ts';

export type Downloads = Readonly<ReturnType<typeof createDownloads>>;

/** `settled` is missing until the address is signed. */
type Signed = { readonly at: number; readonly url: Promise<string>; settled?: string };

const VALID_SECONDS = 3_600;
const REUSE_MS = 30 * 60_000;
const MAX_SIGNED = 10_000;

/** Signs download addresses that are valid for an hour and reused for half of it (uploads-15). */
export const createDownloads = (objects: Pick<ObjectStore, 'signDownload'>, clock: Clock) => {
  const signed = new LRUCache<string, Signed>({
    maxSize: MAX_SIGNED, // `max` would allocate all entries at once
    sizeCalculation: () => 1,
    ttl: REUSE_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  });
  // If the clock was set back since, the address is not valid yet.
  const usable = (fileId: string, at: number): Signed | null => {
    const found = signed.get(fileId);
    return found && found.at <= at ? found : null;
  };
  const urlOf = (submission: Submission, file: Submission['files'][number]) => {
    const { fileId, mimeType } = file;
    const at = clock.now().getTime();
    const found = usable(fileId, at);
    if (found) return found.url;
    const key = evidenceKey(submission.routing.submissionId, file);
    const fileName = submission.fileNames[fileId] ?? labelledName(file);
    const url = objects
      .signDownload({ key, expiresInSeconds: VALID_SECONDS, fileName, mimeType })
      .then(({ url }) => url);
    const entry: Signed = { at, url };
    url.then(
      (settled) => Object.assign(entry, { settled }),
      () => signed.delete(fileId),
    );
    signed.set(fileId, entry);
    return url;
  };
  return {
    /** The address of a file that can be used again, else null. */
    signed: (fileId: string): string | null => usable(fileId, clock.now().getTime())?.settled ?? null,
    /** A submission's files with their addresses. */
    files: (submission: Submission): Promise<SubmissionDetail['files']> =>
      Promise.all(
        submission.files.map(async (file) => ({
          ...fileOf(submission, file),
          downloadUrl: await urlOf(submission, file),
        })),
      ),
  };
};
