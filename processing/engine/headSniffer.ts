import { Worker } from 'node:worker_threads';
import { declaredText } from '../read/sniff.ts';
import { createThread } from './thread.ts';

/** The first bytes of a file, and its declared media type; null where none was declared. */
export type Head = Readonly<{ bytes: Uint8Array; declared: string | null }>;

/** The media type of a file by its first bytes; null where it is not found in time. */
export type HeadSniffer = (head: Head) => Promise<string | null>;

const LIMIT_MS = 5_000;
const HEAP_MB = 64;

/**
 * Sniffs in a thread, which bytes can hang or crash; what is declared as text, and is, needs none. It ends
 * with the signal, and then throws its reason.
 */
export const createHeadSniffer = (
  signal: AbortSignal,
  { limitMs = LIMIT_MS, start = startThread }: Readonly<{ limitMs?: number; start?: () => Worker }> = {},
): HeadSniffer => {
  const sniff = createThread<Head, string>(start, limitMs, signal);
  return async (head) => {
    const { buffer, byteOffset, byteLength } = head.bytes;
    const text = declaredText(Buffer.from(buffer, byteOffset, byteLength), head.declared, { cut: true });
    if (text !== null) return text;
    try {
      return await sniff(head);
    } catch {
      signal.throwIfAborted();
      // The child process that reads the whole file has higher limits.
      return null;
    }
  };
};

const startThread = (): Worker =>
  new Worker(new URL('./headThread.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
