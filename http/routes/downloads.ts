import { LRUCache } from 'lru-cache';
import type { Submission } from '../../domain/submission/state.ts';
import type { Clock } from '../../kernel/clock.ts';
import { labelledName } from '../../schemas/labelledName.ts';
import type { SubmissionDetail } from '../../schemas/submissions.ts';
import { evidenceKey } from '../../stores/objects/keys.ts';
import type { ObjectStore } from '../../stores/objects/port.ts';

export type Downloads = (submission: Submission) => Promise<SubmissionDetail['files']>;

const VALID_SECONDS = 3_600;
const REUSE_MS = 30 * 60_000;
const MAX_SIGNED = 10_000;

/** Signs download addresses that are valid for an hour and reused for half of it (uploads-15). */
export const createDownloads = (objects: Pick<ObjectStore, 'signDownload'>, clock: Clock): Downloads => {
  const signed = new LRUCache<string, Readonly<{ at: number; url: Promise<string> }>>({
    maxSize: MAX_SIGNED, // `max` would allocate all entries at once
    sizeCalculation: () => 1,
    ttl: REUSE_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  });
  const urlOf = (submission: Submission, file: Submission['files'][number]) => {
    const { fileId, mimeType } = file;
    const found = signed.get(fileId);
    const at = clock.now().getTime();
    // If the clock was set back since, the address is not valid yet.
    if (found && found.at <= at) return found.url;
    const key = evidenceKey(submission.routing.submissionId, file);
    const fileName = submission.fileNames[fileId] ?? labelledName(file);
    const url = objects
      .signDownload({ key, expiresInSeconds: VALID_SECONDS, fileName, mimeType })
      .then(({ url }) => url);
    url.catch(() => signed.delete(fileId));
    signed.set(fileId, { at, url });
    return url;
  };
  return (submission) =>
    Promise.all(
      submission.files.map(async (file) => {
        const { fileId: id, fileIndex, label, mimeType, fileSize } = file;
        const fileName = submission.fileNames[id] ?? null;
        const downloadUrl = await urlOf(submission, file);
        return { id, fileIndex, label, fileName, mimeType, fileSize, downloadUrl };
      }),
    );
};
