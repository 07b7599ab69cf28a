import { createLimiter } from '../kernel/lane.ts';
import type { Capacity } from '../stores/documents/port.ts';

/**
 * `total`: attempts in flight of all lanes. `lane`: of one lane. `unproven`: of one whose last attempt
 * failed, or that has none: a few of them may hang and others still have their turn. `perClaim`: claimed of
 * one lane at once. `crowd`: of all unproven lanes together, before such a lane has no more than `crowded`
 * and one is claimed of a lane at once: many that hang leave places for those that answer. `company`:
 * attempts in flight of one company, whatever its lanes, and `perCompanyClaim` those claimed at once. `slow`:
 * of all slow lanes together. `slowAfter`: failures in a row that make a lane slow. `remembered`: lanes whose
 * outcomes are remembered.
 */
export const LANE_LIMITS = {
  total: 256,
  lane: 32,
  unproven: 12,
  perClaim: 4,
  crowd: 64,
  crowded: 2,
  company: 128,
  perCompanyClaim: 32,
  slow: 16,
  slowAfter: 3,
  remembered: 1_000,
};
export type LaneLimits = Readonly<typeof LANE_LIMITS>;

/**
 * Keeps one receiver's failures from delaying others ([webhooks-24] to [webhooks-26]). A lane is a company, a
 * mode and an origin; its outcomes are its own, so that no company can make another's lane slow. Report every
 * claimed delivery (`started`) and every end (`finished`; null for an aborted attempt, which has no outcome).
 * With the claims of `nextClaim`, one after the other, no limit is ever exceeded.
 */
export type Lanes = Readonly<ReturnType<typeof createLanes>>;

/** The lanes of one process. Nothing is stored: after a restart three failures make a lane slow again. */
export const createLanes = (limits: LaneLimits = LANE_LIMITS) => {
  const limiter = createLimiter();
  // Failures since the last success of lanes with an outcome, in the order of their last use.
  const failures = new Map<string, number>();
  const isProven = (lane: string): boolean => failures.get(lane) === 0;
  const isSlow = (lane: string): boolean => (failures.get(lane) ?? 0) >= limits.slowAfter;
  const inFlight = (which: (lane: string) => boolean): number =>
    limiter.lanes().reduce((sum, lane) => sum + (which(lane) ? limiter.inFlight(lane) : 0), 0);
  const remember = (lane: string, count = failures.get(lane)): void => {
    failures.delete(lane);
    if (count !== undefined) failures.set(lane, count);
    if (failures.size > limits.remembered) forgetOne();
  };
  /** The least recently used; lanes that fail are kept longest, for everybody's sake. */
  const forgetOne = (): void => {
    const idle = [...failures.keys()].filter((lane) => limiter.inFlight(lane) === 0);
    const lane = idle.find(isProven) ?? idle[0];
    if (lane !== undefined) failures.delete(lane);
  };
  /** As many slow lanes as their common limit allows; each goes to the end of the queue. */
  const slowLanesInTurn = (): ReadonlySet<string> => {
    const free = Math.max(0, limits.slow - inFlight(isSlow));
    const slow = [...failures.keys()].filter(isSlow).slice(0, Math.floor(free / limits.perClaim));
    for (const lane of slow) remember(lane);
    return new Set(slow);
  };
  return {
    started: (lane: string): void => {
      limiter.started(lane);
      remember(lane);
    },
    finished: (lane: string, succeeded: boolean | null): void => {
      limiter.finished(lane);
      if (succeeded === null) remember(lane);
      else remember(lane, succeeded ? 0 : (failures.get(lane) ?? 0) + 1);
    },
    nextClaim: (): Capacity => {
      const inTurn = slowLanesInTurn();
      const isCrowded = inFlight((lane) => !isProven(lane)) >= limits.crowd;
      const perLane = isCrowded ? 1 : limits.perClaim;
      const unproven = isCrowded ? limits.crowded : limits.unproven;
      const isFull = (lane: string): boolean =>
        limiter.inFlight(lane) + perLane > (isProven(lane) ? limits.lane : unproven);
      const lanes = [...new Set([...failures.keys(), ...limiter.lanes()])];
      return {
        // No more than the crowd at once, for all of a claim may be unproven.
        limit: Math.max(0, Math.min(limits.crowd, limits.total - limiter.total())),
        perLane,
        skip: lanes.filter((lane) => (isSlow(lane) ? !inTurn.has(lane) : isFull(lane))),
        perTenant: limits.perCompanyClaim,
        // A company may have any number of addresses, each a lane.
        skipTenants: [...limiter.fullCompanies(limits.company - limits.perCompanyClaim + 1)],
      };
    },
  };
};
