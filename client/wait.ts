import { retryAfterOf } from './answer.ts';
import { IntakeError } from './error.ts';
import type { JobOf } from './jobOf.ts';
import { type Platform, withLimit } from './platform.ts';
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
 * IntakeError `still-processing` when that takes too long, `timed-out` when there was no answer in that time.
 */
export const createWait =
  (send: Send, { now, sleep }: Platform) =>
  async <Data extends object>(sessionId: string, options: WaitOptions = {}): Promise<JobOf<Data>> => {
    const { timeoutMs = 600_000, signal } = options;
    const end = now() + timeoutMs;
    let late = tooLate('timed-out', `GET /api/v1/jobs/${sessionId}: no answer within ${timeoutMs} ms`);
    const finished = async (limit: AbortSignal): Promise<JobOf<Data>> => {
      for (;;) {
        const call = { path: { sessionId }, signal: limit };
        const { body, headers } = await send<JobOf<Data>>('get', '/api/v1/jobs/{sessionId}', call);
        if (!UNFINISHED.includes(body.state)) return body;
        late = tooLate('still-processing', `${sessionId} is still ${body.state} after ${timeoutMs} ms`);
        const pause = retryAfterOf(headers, now()) ?? PAUSE_MS;
        if (now() + pause > end) throw late;
        await sleep(pause, limit);
      }
    };
    // The retries and pauses of a service that does not answer count as well.
    return withLimit(timeoutMs, signal, finished).catch((error: Error) => {
      signal?.throwIfAborted();
      throw error.name === 'TimeoutError' ? late : error;
    });
  };

const tooLate = (code: 'timed-out' | 'still-processing', message: string): IntakeError =>
  new IntakeError({ code, message, retryable: true });
