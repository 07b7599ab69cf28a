import { createLimiter, originOf, tenantOf } from '../../kernel/lane.ts';
import type { Capacity } from '../../stores/documents/port.ts';

/** How many attempts of a lane (a company, mode and origin), an origin, a company and in all may wait. */
const LIMITS = { perLane: 16, perOrigin: 128, perCompany: 128, total: 256 };

/**
 * The capacity of this process: `workers` attempts, beside those that wait for an extractor, which cost next
 * to nothing here. Only lanes at their limit of waiting attempts are skipped: an extractor that hangs delays
 * nobody else, and files that are read here are never skipped.
 */
export const createCapacity = (workers: number, limits = LIMITS) => {
  const waiting = createLimiter();
  const fullLanes = (): readonly string[] => {
    const companies = waiting.fullCompanies(limits.perCompany);
    const origins = waiting.fullOrigins(limits.perOrigin);
    const isFull = waiting.total() >= limits.total;
    return waiting
      .lanes()
      .filter(
        (lane) =>
          isFull ||
          waiting.inFlight(lane) >= limits.perLane ||
          companies.has(tenantOf(lane)) ||
          origins.has(originOf(lane)),
      );
  };
  return {
    /** Counts an attempt of a lane as waiting until `wait` has ended. */
    waitingFor: async <T>(lane: string, wait: () => Promise<T>): Promise<T> => {
      waiting.started(lane);
      try {
        return await wait();
      } finally {
        waiting.finished(lane);
      }
    },
    /** How many of the `running` attempts use a worker; after a wait an attempt may have to queue. */
    working: (running: number): number => Math.min(workers, running - waiting.total()),
    /** What may be started while `running` attempts are in flight, those that wait included. */
    next: (running: number): Capacity => {
      const limit = workers - (running - waiting.total());
      return { limit, perLane: limit, skip: fullLanes() };
    },
  };
};
