/** What the client takes from its surroundings; a test gives its own. */
export type Platform = Readonly<{
  fetch: typeof fetch;
  /** Milliseconds since 1970. */
  now(): number;
  /** A number from 0 to below 1. */
  random(): number;
  /** Resolves after that many milliseconds. Throws the reason of the signal once it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}>;

/** Node.js 20 or newer, a browser, or another runtime with web standards. */
export const platform: Platform = {
  fetch: (...request) => fetch(...request),
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) => withLimit(ms, signal, (end) => aborted(end).catch(() => signal?.throwIfAborted())),
};

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs `task` with a signal that is aborted with the outer one, and after `ms` milliseconds with a
 * TimeoutError. In place of AbortSignal.any, of which Node.js 20 keeps something for as long as the outer
 * signal lives.
 */
export const withLimit = async <T>(
  ms: number,
  outer: AbortSignal | undefined,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const late = () => controller.abort(new DOMException(`no answer within ${ms} ms`, 'TimeoutError'));
  const abort = () => controller.abort(outer?.reason);
  const timer = setTimeout(late, Math.min(ms, MAX_TIMER_MS));
  outer?.addEventListener('abort', abort, { once: true });
  try {
    return await task(controller.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
};
