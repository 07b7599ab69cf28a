import type { Position } from '../../kernel/event.ts';
import { waitFor } from '../../kernel/timeLimit.ts';

/** How far the live read models are. */
export type Progress = Readonly<{
  /** A runner of this process has started. Returns a function to call when it has stopped. */
  started(): () => void;
  /** Sets the position that all live read models include; `changed`: by name (any, unless given). */
  advanced(position: Position, changed?: ReadonlySet<string>): void;
  /** True when the read models include `position`, on any node; false after `timeoutMs`. */
  reached(position: Position, timeoutMs: number): Promise<boolean>;
  /** Calls the listener at each advance in this process. Returns a function that ends it. */
  watch(listener: Listener): () => void;
}>;

/** Gets the read models that an advance has changed; null for any. */
type Listener = (changed: ReadonlySet<string> | null) => void;

/** How long the answer to a command waits until the read models include its events. */
export const MAX_VISIBILITY_WAIT_MS = 2_000;
const POLL_MS = 20;
/** With a runner in this process. It is polled still, since another process may have taken over. */
const OWN_POLL_MS = 250;

/** `checkpoint` reads the stored checkpoint of the live read models, for when another process makes them. */
export const createProgress = (checkpoint: () => Promise<Position | null>): Progress => {
  let latest: Position | null = null;
  let runners = 0;
  let reading: Promise<Position | null> | null = null;
  const listeners = new Set<Listener>();
  const includes = (position: Position): boolean => latest !== null && latest >= position;
  const advance = (position: Position | null): void => {
    if (position !== null && !includes(position)) latest = position;
  };
  // One read serves all waiting calls.
  const poll = async (): Promise<void> => {
    reading ??= checkpoint().finally(() => {
      reading = null;
    });
    advance(await reading);
  };
  const watch: Progress['watch'] = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    watch,
    started: () => {
      runners += 1;
      return () => {
        runners -= 1;
      };
    },
    advanced: (position, changed) => {
      advance(position);
      for (const listener of [...listeners]) listener(changed ?? null);
    },
    reached: async (position, timeoutMs) => {
      const end = performance.now() + timeoutMs;
      while (!includes(position)) {
        const remaining = end - performance.now();
        if (remaining <= 0) return false;
        await nextAdvance(watch, Math.min(runners > 0 ? OWN_POLL_MS : POLL_MS, remaining));
        if (!includes(position)) await poll();
      }
      return true;
    },
  };
};

const nextAdvance = async (watch: Progress['watch'], ms: number): Promise<void> => {
  let end = (): void => undefined;
  const advance = new Promise<void>((resolve) => {
    end = watch(() => resolve());
  });
  await waitFor(advance, ms).finally(() => end());
};
