import { LeaseLost } from '../../kernel/errors.ts';
import { linkTo, pause } from '../../kernel/signals.ts';
import type { Fence, Leases } from './port.ts';

/** Leases last 15 s and are renewed every 5 s while the work runs. */
export const LEASE_MS = 15_000;
const RENEW_MS = 5_000;

/**
 * Does `run` under a lease that is renewed while it runs, and releases it at the end. A lost lease aborts the
 * signal that `run` gets. Pass a lease that has been acquired; `renewMs` is the time from one renewal to the
 * next, in milliseconds.
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
    const askedAt = performance.now();
    leases.renew(fence, LEASE_MS).then(
      (held) => {
        if (held) heldUntil = askedAt + LEASE_MS;
        else lose(new LeaseLost(fence.lease));
      },
      (error: Error) => {
        // The store is unavailable: the lease may still be ours until it runs out, and surely is not
        // afterwards.
        if (performance.now() > heldUntil) lose(error);
      },
    );
  }, renewMs);
};

/** Runs a loop on the one node that holds the lease of that name; the others poll every second. */
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
