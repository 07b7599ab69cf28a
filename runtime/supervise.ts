import type { Fence, Leases } from '../stores/documents/port.ts';
import { LeaseLost, StoreDamaged, StoreUnavailable } from '../stores/errors.ts';
import { linkTo, pause } from './signals.ts';

/** Where a loop tells of its troubles; `runtime/log.ts` makes one. */
export type Report = Readonly<{
  info(message: string, facts?: object): void;
  warn(message: string, facts?: object): void;
  error(message: string, facts?: object): void;
}>;

const FIRST_DELAY_MS = 100;
/** Well within the five seconds after which everything goes on that an outage stopped. */
export const LONGEST_DELAY_MS = 2_000;
/** A loop that ran this long was well: its next trouble starts with the shortest delay again. */
const WELL_MS = 30_000;

/**
 * Runs a loop until the signal is aborted: when it throws or ends, again, after a delay that doubles up to 2 s, with jitter.
 * Says once that it is in trouble and once that it is over; an outage of a store, and a lease that has passed
 * on, are no trouble of its own. A store that is damaged ends it: to try again mends nothing. Never rejects.
 */
export const supervise = async (
  name: string,
  run: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  report: Report,
): Promise<void> => {
  let delay = FIRST_DELAY_MS;
  let trouble = '';
  while (!signal.aborted) {
    const started = performance.now();
    try {
      const healed = setTimeout(() => {
        if (trouble) report.info(`${name} runs again`);
        trouble = '';
      }, LONGEST_DELAY_MS);
      await run(signal).finally(() => clearTimeout(healed));
    } catch (error) {
      if (signal.aborted) return;
      const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      if (error instanceof StoreDamaged)
        return report.error(`${name} ended: a file is damaged`, { err: error });
      if (error instanceof LeaseLost) report.info(`${name} passed to another process`);
      else if (message !== trouble) report.error(`${name} stopped and will be started again`, { err: error });
      if (!isNoTrouble(error)) trouble = message;
    }
    if (performance.now() - started > WELL_MS) delay = FIRST_DELAY_MS;
    await pause(delay * (0.5 + Math.random() / 2), signal);
    delay = Math.min(delay * 2, LONGEST_DELAY_MS);
  }
};

/** It is told of elsewhere, or is as it should be. */
const isNoTrouble = (error: unknown): boolean =>
  error instanceof LeaseLost || error instanceof StoreUnavailable;

/** Leases last 15 s and are renewed every 5 s while the work runs (design, section 3). */
export const LEASE_MS = 15_000;
const RENEW_MS = 5_000;

/**
 * Does `run` under a lease that is renewed meanwhile, and releases it at the end. A lost lease aborts the signal that
 * `run` gets. Pass a lease that has been acquired; `renewMs` is the time from one renewal to the next, in milliseconds.
 */
export const holding = async <T>(
  leases: Leases,
  fence: Fence,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
  renewMs = RENEW_MS,
): Promise<T> => {
  const held = linkTo(signal);
  let lost = false;
  const lose = (reason: Error): void => {
    lost = true;
    held.abort(reason);
  };
  const renewal = renewing(leases, fence, lose, renewMs);
  try {
    return await run(held.signal);
  } finally {
    clearInterval(renewal);
    held.unlink();
    if (!lost) await leases.release(fence);
  }
};

const renewing = (
  leases: Leases,
  fence: Fence,
  lose: (reason: Error) => void,
  renewMs: number,
): NodeJS.Timeout => {
  let heldUntil = performance.now() + LEASE_MS;
  return setInterval(() => {
    const asked = performance.now();
    leases.renew(fence, LEASE_MS).then(
      (held) => {
        if (held) heldUntil = asked + LEASE_MS;
        else lose(new LeaseLost(fence.lease));
      },
      (error: Error) => {
        // The store is away: the lease may still be ours until it runs out, and surely is not afterwards.
        if (performance.now() > heldUntil) lose(error);
      },
    );
  }, renewMs);
};

/** Runs a loop on the one node that holds the lease of that name; the others stand by and look every second. */
export const underLease = async (
  leases: Leases,
  lease: string,
  owner: string,
  signal: AbortSignal,
  run: (fence: Fence, signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  while (!signal.aborted) {
    const fence = await leases.acquire(lease, owner, LEASE_MS);
    if (fence) return holding(leases, fence, signal, (held) => run(fence, held));
    await pause(1_000, signal);
  }
};
