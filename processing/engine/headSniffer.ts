import { Worker } from 'node:worker_threads';
import { createThread } from './thread.ts';

/**
 * The beginning of a file, and the media type that it was declared to be of; null where nothing was declared.
 */
export type Head = Readonly<{ bytes: Uint8Array; declared: string | null }>;

/** The media type that a file's beginning shows; null where it could not be judged, or not in time. */
export type HeadSniffer = (head: Head) => Promise<string | null>;

/** Far more than the largest beginning takes on a busy machine. */
const LIMIT_MS = 5_000;
const HEAP_MB = 64;

/**
 * Judges beginnings of files in a thread of its own: what a stranger wrote can stop that thread and nothing
 * else. It ends with the signal, and then throws its reason.
 */
export const createHeadSniffer = (
  signal: AbortSignal,
  { limitMs = LIMIT_MS, start = startThread }: Readonly<{ limitMs?: number; start?: () => Worker }> = {},
): HeadSniffer => {
  const judge = createThread<Head, string>(start, limitMs, signal);
  return async (head) => {
    try {
      return await judge(head);
    } catch {
      signal.throwIfAborted();
      // It failed, or came to no end: where it is read in whole, by a child process, there is more room for
      // it.
      return null;
    }
  };
};

const startThread = (): Worker =>
  new Worker(new URL('./headThread.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
