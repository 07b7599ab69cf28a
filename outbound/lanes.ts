import { createLimiter } from '../kernel/lane.ts';
import type { Capacity } from '../stores/documents/port.ts';

/**
 * `total`: attempts in flight of all lanes. `lane`: of one lane. `unproven`: of one whose last attempt
 * failed, or that has none: a few of them may hang and others still have their turn. `perClaim`: claimed of
 * one lane at once. `company`: attempts in flight of one company, whatever its lanes, and `perCompanyClaim`
 * those claimed at once. `slow`: of all slow lanes together. `slowAfter`: failures in a row that make a lane
 * slow. `remembered`: lanes whose outcomes are remembered.
 */
export const LANE_LIMITS = {
  total: 256,
  lane: 32,
  unproven: 12,
  perClaim: 4,
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

type History = Readonly<{ failures: number; proven: boolean }>;

const NO_HISTORY: History = { failures: 0, proven: false };

/** The lanes of one process. Nothing is stored: after a restart three failures make a lane slow again. */
export const createLanes = (limits: LaneLimits = LANE_LIMITS) => {
  const limiter = createLimiter();
  // In the order of their last use.
  const histories = new Map<string, History>();
  const historyOf = (lane: string): History => histories.get(lane) ?? NO_HISTORY;
  const isSlow = (lane: string): boolean => historyOf(lane).failures >= limits.slowAfter;
  const remember = (lane: string, history: History): void => {
    histories.delete(lane);
    if (history.failures > 0 || history.proven) histories.set(lane, history);
    if (histories.size > limits.remembered) forgetOne();
  };
  /** The least recently used; lanes that fail are kept longest, for everybody's sake. */
  const forgetOne = (): void => {
    const idle = [...histories].filter(([lane]) => limiter.inFlight(lane) === 0);
    const [lane] = idle.find(([, { failures }]) => failures === 0) ?? idle[0] ?? [];
    if (lane !== undefined) histories.delete(lane);
  };
  /** As many slow lanes as their common limit allows; each goes to the end of the queue. */
  const slowLanesInTurn = (): ReadonlySet<string> => {
    const inFlight = limiter.lanes().filter(isSlow).map(limiter.inFlight);
    const free = limits.slow - inFlight.reduce((sum, count) => sum + count, 0);
    const slow = [...histories.keys()]
      .filter(isSlow)
      .slice(0, Math.max(0, Math.floor(free / limits.perClaim)));
    for (const lane of slow) remember(lane, historyOf(lane));
    return new Set(slow);
  };
  const isFull = (lane: string): boolean =>
    limiter.inFlight(lane) + limits.perClaim > (historyOf(lane).proven ? limits.lane : limits.unproven);
  return {
    started: (lane: string): void => {
      limiter.started(lane);
      remember(lane, historyOf(lane));
    },
    finished: (lane: string, succeeded: boolean | null): void => {
      limiter.finished(lane);
      const { failures, proven } = historyOf(lane);
      remember(lane, {
        failures: succeeded === null ? failures : succeeded ? 0 : failures + 1,
        proven: succeeded ?? proven,
      });
    },
    nextClaim: (): Capacity => {
      const inTurn = slowLanesInTurn();
      const lanes = [...new Set([...histories.keys(), ...limiter.lanes()])];
      return {
        limit: Math.max(0, limits.total - limiter.total()),
        perLane: limits.perClaim,
        skip: lanes.filter((lane) => (isSlow(lane) ? !inTurn.has(lane) : isFull(lane))),
        perTenant: limits.perCompanyClaim,
        // A company may have any number of addresses, each a lane.
        skipTenants: [...limiter.fullCompanies(limits.company - limits.perCompanyClaim + 1)],
      };
    },
  };
};
