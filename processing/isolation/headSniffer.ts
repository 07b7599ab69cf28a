import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** The media type of a file by its beginning; `application/octet-stream` where that can't be told, or not in time. */
export type HeadSniffer = (head: Uint8Array) => Promise<string>;

/** Far more than the largest beginning takes on a busy machine. */
const LIMIT_MS = 5_000;
const HEAP_MB = 64;
const UNKNOWN = 'application/octet-stream';

/**
 * Judges beginnings of files in a thread of its own, which starts with the first: what a stranger wrote can stop that thread and nothing else.
 * It ends with the signal.
 */
export const createHeadSniffer = (
  signal: AbortSignal,
  { limitMs = LIMIT_MS, start = startThread }: Readonly<{ limitMs?: number; start?: () => Worker }> = {},
): HeadSniffer => {
  let thread: Worker | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  const end = async (): Promise<void> => {
    const ending = thread;
    thread = null;
    await ending?.terminate();
  };
  signal.addEventListener('abort', () => void end(), { once: true });
  const judge = async (head: Uint8Array): Promise<string> => {
    signal.throwIfAborted();
    thread ??= guarded(start());
    try {
      return await answer(thread, head, limitMs);
    } catch {
      // It failed, or came to no end: either way this is no file that anybody can tell the type of.
      await end();
      return UNKNOWN;
    }
  };
  return (head) => {
    const mine = turn.then(() => judge(head));
    turn = mine.catch(() => undefined);
    return mine;
  };
};

/** A thread may fail once more while it is being ended, when nobody waits for its answer any longer: that must not end the service. */
const guarded = (thread: Worker): Worker => thread.on('error', () => undefined);

const startThread = (): Worker =>
  new Worker(new URL('./headThread.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });

const answer = async (thread: Worker, head: Uint8Array, limitMs: number): Promise<string> => {
  thread.ref();
  try {
    const [[type]] = await Promise.all([
      once(thread, 'message', { signal: AbortSignal.timeout(limitMs) }),
      thread.postMessage(head),
    ]);
    return type;
  } finally {
    thread.unref();
  }
};
