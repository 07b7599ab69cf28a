import { setTimeout as sleep } from 'node:timers/promises';
import type { Position } from '../../kernel/event.ts';

export type Progress = Readonly<ReturnType<typeof createProgress>>;

/** Gets the read models that an advance has changed; null for any. */
type Listener = (changed: ReadonlySet<string> | null) => void;

/** How long the answer to a command waits until the read models include its events. */
export const MAX_VISIBILITY_WAIT_MS = 2_000;
const POLL_MS = 20;
/** With a runner in this process. It is polled still, since another process may have taken over. */
const OWN_POLL_MS = 250;

/** A call that waits until the read models include `position`. */
type Waiting = Readonly<{ position: Position; end(): void; fail(error: unknown): void }>;

/**
 * How far the live read models are. `checkpoint` reads their stored checkpoint, for when another process
 * makes them.
 */
export const createProgress = (checkpoint: () => Promise<Position | null>) => {
  let latest: Position | null = null;
  let runners = 0;
  let isPolling = false;
  const listeners = new Set<Listener>();
  const waiting = new Set<Waiting>();
  const includes = (position: Position): boolean => latest !== null && latest >= position;
  const advance = (position: Position | null): void => {
    if (position === null || includes(position)) return;
    latest = position;
    for (const one of waiting) if (includes(one.position)) one.end();
  };
  const poll = async (): Promise<void> => {
    try {
      advance(await checkpoint());
    } catch (error) {
      for (const one of waiting) one.fail(error);
    }
  };
  // One loop for all waiting calls: thousands may wait at once.
  const pollWhileWaiting = async (): Promise<void> => {
    if (isPolling) return;
    isPolling = true;
    while (waiting.size > 0) {
      await sleep(runners > 0 ? OWN_POLL_MS : POLL_MS, undefined, { ref: false });
      if (waiting.size > 0) await poll();
    }
    isPolling = false;
  };
  return {
    /** Calls the listener at each advance in this process. Returns a function that ends it. */
    watch: (listener: Listener): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** A runner of this process has started. Returns a function to call when it has stopped. */
    started: (): (() => void) => {
      runners += 1;
      return () => {
        runners -= 1;
      };
    },
    /** Sets the position that all live read models include; `changed`: by name (any, unless given). */
    advanced: (position: Position, changed?: ReadonlySet<string>): void => {
      advance(position);
      for (const listener of [...listeners]) listener(changed ?? null);
    },
    /** True when the read models include `position`, on any node; false after `timeoutMs`. */
    reached: async (position: Position, timeoutMs: number): Promise<boolean> => {
      if (includes(position)) return true;
      if (timeoutMs <= 0) return false;
      await new Promise<void>((resolve, reject) => {
        const one: Waiting = {
          position,
          end: () => leave(resolve),
          fail: (error) => leave(() => reject(error)),
        };
        const timer = setTimeout(() => poll().then(one.end), timeoutMs);
        const leave = (settle: () => void): void => {
          clearTimeout(timer);
          waiting.delete(one);
          settle();
        };
        waiting.add(one);
        void pollWhileWaiting();
      });
      return includes(position);
    },
  };
};
