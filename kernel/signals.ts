import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after `ms` milliseconds, or at once when the signal is aborted. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleep(ms, undefined, { signal }).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error;
  });
};

/** Calls `act` when the signal is aborted, at once where it is already; gives what ends that. */
const whenAborted = (signal: AbortSignal, act: () => void): (() => void) => {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act);
  return () => signal.removeEventListener('abort', act);
};

/** A signal that others abort, or `abort` does. `unlink` ends that. */
type Linked = Readonly<{ signal: AbortSignal; abort(reason: unknown): void; unlink(): void }>;

/**
 * Aborted with the first of the signals, for its reason. To be unlinked when its work ends: AbortSignal.any
 * would leave something behind in each of them for every work item, and they may live as long as the
 * service.
 */
export const linkTo = (...outer: readonly AbortSignal[]): Linked => {
  const inner = new AbortController();
  const ends = outer.map((signal) => whenAborted(signal, () => inner.abort(signal.reason)));
  return {
    signal: inner.signal,
    abort: (reason) => inner.abort(reason),
    unlink: () => {
      for (const end of ends) end();
    },
  };
};

/** Resolves when the signal is aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    whenAborted(signal, resolve);
  });

/** A delay with jitter, so that many who wait do not come back at once. */
export const jittered = (ms: number): number => ms * (0.5 + Math.random() / 2);
