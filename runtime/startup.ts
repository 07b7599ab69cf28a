import { isPassing } from '../kernel/errors.ts';
import { aborted, pause } from '../kernel/signals.ts';
import { waitFor } from '../kernel/timeLimit.ts';
import type { Availability, Probes } from '../stores/availability/availability.ts';

/** Ends what was started. */
type End = () => Promise<void>;

/** Between two attempts: a part that has come back is used within that time. */
const RETRY_MS = 500;

/**
 * An attempt that waits longer for a silent part is abandoned: it fails when the stores are closed, and ends
 * what it started.
 */
const LEAVE_MS = 1_000;

/**
 * The start of a process whose parts may be unavailable at first: watches them from now on; an attempt that
 * fails by an outage is repeated.
 */
export const createStartup = (
  availability: Availability,
  probes: Probes,
  attempt: (ended: AbortSignal) => Promise<End>,
) => {
  const stop = new AbortController();
  const { signal } = stop;
  const watching = availability.watch(probes, signal);
  let started: End | null = null;
  let attempts = Promise.resolve();

  const untilStarted = async (onWaiting: () => void): Promise<void> => {
    while (!signal.aborted) {
      try {
        const end = await attempt(signal);
        if (signal.aborted) return await end();
        started = end;
        return;
      } catch (error) {
        throwUnlessPassing(error);
      }
      if (signal.aborted) return;
      // Another part may have a fault that waiting does not mend.
      await availability.probeAll().catch(throwUnlessPassing);
      onWaiting();
      await pause(RETRY_MS, signal);
    }
  };
  return {
    hasStarted: (): boolean => started !== null,
    /**
     * Makes attempts until one succeeds. Resolves when it has, when it waits for a part, or when `stopped` is
     * aborted. Throws what waiting does not mend.
     */
    start: async (stopped: AbortSignal): Promise<void> => {
      const waiting = new Promise<void>((resolve) => {
        attempts = untilStarted(resolve);
      });
      await Promise.race([attempts, waiting, aborted(stopped)]);
    },
    /** Rejects when an attempt fails for good after `start` has resolved; never resolves. */
    broken: (): Promise<never> => attempts.then(() => new Promise<never>(() => undefined)),
    /** Makes no more attempts, and ends what was started. */
    end: async (): Promise<void> => {
      stop.abort();
      await waitFor(Promise.allSettled([attempts, watching]), LEAVE_MS);
      await started?.();
    },
  };
};

const throwUnlessPassing = (error: unknown): void => {
  if (!isPassing(error)) throw error;
};
