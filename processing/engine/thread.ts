import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { createSemaphore } from '../../kernel/semaphore.ts';

/** Gives a thread's answer. Throws when the thread fails or takes too long, and the signal's reason. */
export type Ask<Question, Answer> = (question: Question) => Promise<Answer>;

/**
 * A thread for work that may never end: it starts with the first question, answers one at a time, each within
 * `limitMs`, and ends with the signal. One that fails or takes longer is ended, and the next question starts
 * another.
 */
export const createThread = <Question, Answer>(
  start: () => Worker,
  limitMs: number,
  signal: AbortSignal,
): Ask<Question, Answer> => {
  let thread: Worker | null = null;
  const queue = createSemaphore(1);
  const end = async (): Promise<void> => {
    const ending = thread;
    thread = null;
    await ending?.terminate();
  };
  signal.addEventListener('abort', () => void end(), { once: true });
  return (question) =>
    queue.run(async () => {
      signal.throwIfAborted();
      thread ??= guarded(start());
      try {
        return await answer<Answer>(thread, question, limitMs);
      } catch (error) {
        await end();
        throw error;
      }
    });
};

/** A thread may fail once more while it is being ended: without a listener that would end the service. */
const guarded = (thread: Worker): Worker => thread.on('error', () => undefined);

const answer = async <Answer>(thread: Worker, question: unknown, limitMs: number): Promise<Answer> => {
  thread.ref();
  try {
    const [[given]] = await Promise.all([
      once(thread, 'message', { signal: AbortSignal.timeout(limitMs) }),
      thread.postMessage(question),
    ]);
    return given;
  } finally {
    thread.unref();
  }
};
