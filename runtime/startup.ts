import { isPassing } from '../kernel/errors.ts';
import { aborted, pause } from '../kernel/signals.ts';
import { waitFor } from '../kernel/timeLimit.ts';
import type { Outages, Probes } from '../stores/availability/outages.ts';

/** Ends what was begun. */
type End = () => Promise<void>;

/** The beginning of a process whose parts may be away at first. */
export type Beginning = Readonly<{
  hasBegun(): boolean;
  /**
   * Makes attempts until one succeeds. Resolves when it has, when it waits for a part, or when it is stopped;
   * throws what waiting does not mend.
   */
  begin(stopped: AbortSignal): Promise<void>;
  /** Rejects when an attempt fails for good after `begin` has resolved; never resolves. */
  broken(): Promise<never>;
  /** Makes no more attempts, and ends what was begun. */
  end: End;
}>;

/** Between two attempts: a part that has come back is used within that time. */
const AGAIN_MS = 500;

/**
 * An attempt that waits for a silent part longer than this is left: it fails when the stores are closed, and
 * whatever it begins it ends.
 */
const LEAVE_MS = 1_000;

/** Watches the parts from now on; an attempt that fails by an outage is made again. */
export const createBeginning = (
  outages: Outages,
  probes: Probes,
  attempt: (ended: AbortSignal) => Promise<End>,
): Beginning => {
  const stop = new AbortController();
  const { signal } = stop;
  const watching = outages.watch(probes, signal);
  let begun: End | null = null;
  let attempts = Promise.resolve();

  const untilBegun = async (waits: () => void): Promise<void> => {
    while (!signal.aborted) {
      try {
        const end = await attempt(signal);
        if (signal.aborted) return await end();
        begun = end;
        return;
      } catch (error) {
        throwUnlessPassing(error);
      }
      if (signal.aborted) return;
      // Which part is it? Another one may be wrong in a way that waiting does not mend.
      await outages.look().catch(throwUnlessPassing);
      waits();
      await pause(AGAIN_MS, signal);
    }
  };
  return {
    hasBegun: () => begun !== null,
    begin: async (stopped) => {
      const waiting = new Promise<void>((resolve) => {
        attempts = untilBegun(resolve);
      });
      await Promise.race([attempts, waiting, aborted(stopped)]);
    },
    broken: () => attempts.then(() => new Promise<never>(() => undefined)),
    end: async () => {
      stop.abort();
      await waitFor(Promise.allSettled([attempts, watching]), LEAVE_MS);
      await begun?.();
    },
  };
};

const throwUnlessPassing = (error: unknown): void => {
  if (!isPassing(error)) throw error;
};
