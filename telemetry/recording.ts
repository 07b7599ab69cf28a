import type { Clock } from '../kernel/clock.ts';
import { WrongExpectedRevision } from '../kernel/errors.ts';
import type { Fence, Leases } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { Recorder } from './recorder.ts';

/** A log that records its appends. */
export const recordedLog = (log: EventLog, { appended, conflicted }: Recorder): EventLog => ({
  ...log,
  append: async (stream, head, events, subject) => {
    const started = performance.now();
    try {
      const next = await log.append(stream, head, events, subject);
      appended(events, performance.now() - started);
      return next;
    } catch (error) {
      if (error instanceof WrongExpectedRevision) conflicted();
      throw error;
    }
  },
});

/** Leases that record which of them this process holds. */
export const recordedLeases = (leases: Leases, clock: Clock, { held }: Recorder): Leases => {
  const keep = ({ lease }: Fence, leaseMs: number): void => held(lease, clock.now().getTime() + leaseMs);
  return {
    ...leases,
    acquire: async (lease, owner, leaseMs) => {
      const fence = await leases.acquire(lease, owner, leaseMs);
      if (fence) keep(fence, leaseMs);
      return fence;
    },
    take: async (lease, owner, leaseMs) => {
      const fence = await leases.take(lease, owner, leaseMs);
      keep(fence, leaseMs);
      return fence;
    },
    claim: async (claim) => {
      const claimed = await leases.claim<never>(claim);
      for (const { fence } of claimed) keep(fence, claim.leaseMs);
      return claimed;
    },
    renew: async (fence, leaseMs) => {
      const still = await leases.renew(fence, leaseMs);
      if (still) keep(fence, leaseMs);
      else held(fence.lease, null);
      return still;
    },
    // Also when the store is unavailable: nobody continues under it.
    release: (fence) => leases.release(fence).finally(() => held(fence.lease, null)),
  };
};

/** Work that reports how long it took, also when it fails. */
export const timed =
  <A extends readonly unknown[], T>(work: (...given: A) => Promise<T>, took: (durationMs: number) => void) =>
  (...given: A): Promise<T> => {
    const started = performance.now();
    return work(...given).finally(() => took(performance.now() - started));
  };
