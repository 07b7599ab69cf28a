import type { UploadPart } from './api.ts';
import type { Source } from './files.ts';
import type { Platform } from './platform.ts';
import { bytesToSend, sendBytes, type Uploading } from './sendBytes.ts';

/** More at once fill no connection better, and lose more when one breaks. */
const AT_ONCE = 3;

/**
 * Sends the parts of a file that the store does not have, up to three at once, each again after a failure
 * that may pass. After one that fails for good none is begun. Throws as `upload` does.
 */
export const uploadParts = async (
  platform: Platform,
  parts: readonly UploadPart[],
  source: Source,
  { onSent, ...limits }: Uploading,
): Promise<void> => {
  let isFailed = false;
  const sent = parts.map(({ size, uploaded }) => (uploaded ? size : 0));
  const tell = (index: number, bytes: number): void => {
    sent[index] = bytes;
    onSent(sent.reduce((sum, one) => sum + one, 0));
  };
  const ranges = rangesOf(parts);
  const next = ranges.filter(({ part }) => !part.uploaded).values();
  const work = async (): Promise<void> => {
    for (const { part, index, start, end } of next) {
      if (isFailed) return;
      const { url, headers, size } = part;
      const options = { ...limits, onSent: (bytes: number) => tell(index, bytes) };
      const request = (onBytes: (bytes: number) => void, ended: AbortController) =>
        bytesToSend(source, new Headers(headers), { start, end }, onBytes, ended);
      await sendBytes(platform, { url, method: 'PUT', size, request }, source, options);
    }
  };
  const failing = async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      isFailed = true;
      throw error;
    }
  };
  for (const end of await Promise.allSettled(Array.from({ length: AT_ONCE }, failing)))
    if (end.status === 'rejected') throw end.reason;
  onSent(source.size);
};

const rangesOf = (parts: readonly UploadPart[]) => {
  let end = 0;
  return parts.map((part, index) => {
    const start = end;
    end += part.size;
    return { part, index, start, end };
  });
};
