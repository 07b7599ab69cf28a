import { LeaseLost } from '../../kernel/errors.ts';
import { linkTo, pause } from '../../kernel/signals.ts';
import type { Fence, Held, Leases } from './port.ts';

/** Leases last 15 s and are renewed every 5 s while the work runs. */
export const LEASE_MS = 15_000;
const RENEW_MS = 5_000;

/**
 * Does `run` under an acquired lease that is renewed every `renewMs` while it runs, and released at the end.
 * A lost lease aborts the signal that `run` gets.
 */
export const holding = async <T>(
  leases: Leases,
  fence: Fence,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
  renewMs = RENEW_MS,
): Promise<T> => {
  const linked = linkTo(signal);
  let lost = false;
  const lose = (reason: Error): void => {
    lost = true;
    linked.abort(reason);
  };
  const renewal = renewing(leases, fence, lose, renewMs);
  try {
    return await run(linked.signal);
  } finally {
    clearInterval(renewal);
    linked.unlink();
    if (!lost) await leases.release(fence);
  }
};

const renewing = (
  leases: Leases,
  fence: Fence,
  lose: (reason: Error) => void,
  renewMs: number,
): NodeJS.Timeout => {
  let expiresAt = performance.now() + LEASE_MS;
  return setInterval(() => {
    const startedAt = performance.now();
    leases.renew(fence, LEASE_MS).then(
      (isRenewed) => {
        if (isRenewed) expiresAt = startedAt + LEASE_MS;
        else lose(new LeaseLost(fence.lease));
      },
      (error: Error) => {
        // The store is unavailable: the lease may still be ours until it expires.
        if (performance.now() > expiresAt) lose(error);
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
    if (fence) return holding(leases, fence, signal, (leased) => run(fence, leased));
    await pause(1_000, signal);
  }
};

const PAGE = 100;

/** The leases that live but for those of work, whose names are `<queue>/<id>`: few, and by name. */
export const loopLeases = async (leases: Leases): Promise<readonly Held[]> => {
  const found: Held[] = [];
  for (let after = ''; ; ) {
    const page = await leases.held('', { after, limit: PAGE });
    found.push(...page.filter(({ lease }) => !lease.includes('/')));
    const last = page.at(-1)?.lease;
    if (last === undefined || page.length < PAGE) return found;
    const slash = last.indexOf('/');
    // Behind all of a queue at once: there may be thousands.
    after = slash === -1 ? last : `${last.slice(0, slash + 1)}\u{10ffff}`;
  }
};
