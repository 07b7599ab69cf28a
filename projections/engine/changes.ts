import { setTimeout as sleep } from 'node:timers/promises';
import { pause } from '../../kernel/signals.ts';

export type Changes = ReturnType<typeof createChanges>;

/** How late what another process changed is noticed at most. */
const POLL_MS = 1_000;
/** Changes that come faster than this are noticed together. */
const GATHER_MS = 50;

type Waiting = Readonly<{ before: string; changed(state: string): void; failed(error: unknown): void }>;

/**
 * Tells when something has changed, by a short text of its state: that of each key is read once for all who
 * wait, every second and soon after `nudge`.
 */
export const createChanges = (state: (key: string) => Promise<string>) => {
  const waiting = new Map<string, Set<Waiting>>();
  let nudged = new AbortController();
  let isWatching = false;
  const check = async ([key, all]: readonly [string, ReadonlySet<Waiting>]): Promise<void> => {
    try {
      const now = await state(key);
      for (const one of [...all]) if (one.before !== now) one.changed(now);
    } catch (error) {
      for (const one of [...all]) one.failed(error);
    }
  };
  const watch = async (): Promise<void> => {
    if (isWatching) return;
    isWatching = true;
    while (waiting.size > 0) {
      await pause(POLL_MS, nudged.signal);
      if (waiting.size === 0) break;
      if (nudged.signal.aborted) await sleep(GATHER_MS);
      nudged = new AbortController();
      await Promise.all([...waiting].map(check));
    }
    isWatching = false;
  };
  const leave = (key: string, one: Waiting): void => {
    const all = waiting.get(key);
    all?.delete(one);
    if (all?.size === 0) waiting.delete(key);
    if (waiting.size === 0) nudged.abort();
  };
  return {
    /** The present state of a key. */
    state,
    /** Something may have changed in this process. */
    nudge: (): void => nudged.abort(),
    /**
     * The state of a key once it is another than `before`; null after `timeoutMs`, and when the signal is
     * aborted. Throws what reading it throws.
     */
    after: (key: string, before: string, timeoutMs: number, signal: AbortSignal): Promise<string | null> =>
      new Promise((resolve, reject) => {
        const settle = (end: () => void): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', stop);
          leave(key, one);
          end();
        };
        const stop = (): void => settle(() => resolve(null));
        const one: Waiting = {
          before,
          changed: (now) => settle(() => resolve(now)),
          failed: (error) => settle(() => reject(error)),
        };
        const timer = setTimeout(stop, Math.max(0, timeoutMs));
        signal.addEventListener('abort', stop);
        waiting.set(key, (waiting.get(key) ?? new Set()).add(one));
        if (signal.aborted) stop();
        else void watch();
      }),
  };
};
