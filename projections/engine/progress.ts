import type { Position } from '../../kernel/event.ts';
import { waitFor } from '../../kernel/timeLimit.ts';

/** How far the read models are, for those who must not run ahead of them. */
export type Progress = Readonly<{
  /** A runner of this process makes the read models from now on; gives the function that ends it. */
  begun(): () => void;
  /** That runner says that every live read model shows the log up to `position`; `changed` are those that this has changed (any, unless told). */
  advanced(position: Position, changed?: ReadonlySet<string>): void;
  /** True as soon as the read models show `position`, on whatever node they are made; false after `timeoutMs`. */
  reached(position: Position, timeoutMs: number): Promise<boolean>;
  /** Calls back at each advance that a runner of this process tells of; gives the function that ends it. */
  watch(listener: Listener): () => void;
}>;

/** Hears which read models an advance has changed; null: any. */
type Listener = (changed: ReadonlySet<string> | null) => void;

/** How long the answer to a command waits for the read models (reads-1). */
export const SHOW_MS = 2_000;
const POLL_MS = 20;
/** How often the store is asked all the same where they are made in this process: its runner may have been overtaken by another one's. */
const OWN_POLL_MS = 250;

/** `checkpoint` reads the stored checkpoint of the live read models, for when another process makes them. */
export const createProgress = (checkpoint: () => Promise<Position | null>): Progress => {
  let known: Position | null = null;
  let runners = 0;
  const begun = (): (() => void) => {
    runners += 1;
    return () => {
      runners -= 1;
    };
  };
  const listeners = new Set<Listener>();
  const advanced: Progress['advanced'] = (position, changed) => {
    if (known === null || position > known) known = position;
    for (const listener of [...listeners]) listener(changed ?? null);
  };
  let reading: Promise<Position | null> | null = null;
  // One look serves all who wait.
  const look = (): Promise<Position | null> => {
    reading ??= checkpoint().finally(() => {
      reading = null;
    });
    return reading;
  };
  const shows = (position: Position): boolean => known !== null && known >= position;
  const watch: Progress['watch'] = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const reached = async (position: Position, timeoutMs: number): Promise<boolean> => {
    const end = performance.now() + timeoutMs;
    while (!shows(position)) {
      const left = end - performance.now();
      if (left <= 0) return false;
      await nextAdvance(watch, Math.min(runners > 0 ? OWN_POLL_MS : POLL_MS, left));
      if (shows(position)) return true;
      const stored = await look();
      if (stored !== null && (known === null || stored > known)) known = stored;
    }
    return true;
  };
  return { begun, advanced, reached, watch };
};

const nextAdvance = async (watch: Progress['watch'], ms: number): Promise<void> => {
  let end = (): void => undefined;
  const advance = new Promise<void>((resolve) => {
    end = watch(() => resolve());
  });
  try {
    await waitFor(advance, ms);
  } finally {
    end();
  }
};
