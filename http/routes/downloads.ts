import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/clock.ts';
import type { Downloadable } from '../../projections/submissionAnswers.ts';
import { labelledName } from '../../schemas/labelledName.ts';
import { evidenceKey } from '../../stores/objects/keys.ts';
import type { ObjectStore } from '../../stores/objects/port.ts';

type Signed = Readonly<{ at: number; url: Promise<string> }>;

const VALID_SECONDS = 3_600;
const REUSE_MS = 30 * 60_000;
const MAX_SIGNED = 10_000;

/**
 * Gives the download address of a file, a `Downloadable` in JSON. Addresses are valid for an hour and reused
 * for half of it (uploads-15).
 */
export const createDownloads = (objects: Pick<ObjectStore, 'signDownload'>, clock: Clock) => {
  const signed = new LRUCache<string, Signed>({
    maxSize: MAX_SIGNED, // `max` would allocate all entries at once
    sizeCalculation: () => 1,
    ttl: REUSE_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  });
  return (downloadable: string): Promise<string> => {
    const at = clock.now().getTime();
    const found = signed.get(downloadable);
    // If the clock was set back since, the address is not valid yet.
    if (found && found.at <= at) return found.url;
    const file: Downloadable = JSON.parse(downloadable);
    const { submissionId, mimeType, fileName } = file;
    const named = { fileName: fileName ?? labelledName(file), mimeType, expiresInSeconds: VALID_SECONDS };
    const url = objects
      .signDownload({ key: evidenceKey(submissionId, file), ...named })
      .then(({ url }) => url);
    url.catch(() => signed.delete(downloadable));
    signed.set(downloadable, { at, url });
    return url;
  };
};
