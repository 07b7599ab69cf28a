import { retryAfterOf } from './answer.ts';
import { IntakeError } from './error.ts';
import type { JobOf } from './jobOf.ts';
import type { Platform } from './platform.ts';
import type { Send } from './request.ts';

export type WaitOptions = Readonly<{
  /** How long to wait in all, in milliseconds; ten minutes unless told. */
  timeoutMs?: number;
  signal?: AbortSignal;
}>;

const PAUSE_MS = 1_000;
const UNFINISHED: readonly string[] = ['pending', 'queued', 'processing'];

/**
 * Gives the job of a session once it is processed; it may have failed then, or wait for a review. Throws an
 * IntakeError `still-processing` when that takes too long.
 */
export const createWait =
  (send: Send, { now, sleep }: Platform) =>
  async <Data extends object>(sessionId: string, options: WaitOptions = {}): Promise<JobOf<Data>> => {
    const { timeoutMs = 600_000, signal } = options;
    const end = now() + timeoutMs;
    for (;;) {
      const call = { path: { sessionId }, signal };
      const { body, headers } = await send<JobOf<Data>>('get', '/api/v1/jobs/{sessionId}', call);
      if (!UNFINISHED.includes(body.state)) return body;
      const pause = retryAfterOf(headers, now()) ?? PAUSE_MS;
      const message = `${sessionId} is still ${body.state} after ${timeoutMs} ms`;
      if (now() + pause > end) throw new IntakeError({ code: 'still-processing', message, retryable: true });
      await sleep(pause, signal);
    }
  };
