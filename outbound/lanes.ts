import type { Capacity } from '../stores/documents/port.ts';

/**
 * `total`: attempts in flight of all lanes. `lane`: of one lane. `unproven`: of one whose last attempt did
 * not end well, or that has none: a few of them may hang and others still have their turn. `perClaim`: taken
 * of one lane in one claim. `company`: attempts in flight of one company, whatever its lanes, and
 * `perCompanyClaim` those taken in one claim. `slow`: of all slow lanes together. `slowAfter`: failures in a
 * row that make a lane slow. `remembered`: lanes kept in mind, so that memory is bounded.
 */
export type LaneLimits = Readonly<{
  total: number;
  lane: number;
  unproven: number;
  perClaim: number;
  company: number;
  perCompanyClaim: number;
  slow: number;
  slowAfter: number;
  remembered: number;
}>;

export const LANE_LIMITS: LaneLimits = {
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

/**
 * Keeps one receiver's trouble from delaying others (webhooks-24). A lane is a company and an
 * origin; its outcomes are its own, so that no company can make another one slow. Tell it every claimed delivery
 * (`started`) and every end (`finished`; null for an attempt that was called off and says nothing). With claims made as
 * `nextClaim` says, one after the other, no limit is ever passed.
 */
export type Lanes = Readonly<{
  started(lane: string): void;
  finished(lane: string, succeeded: boolean | null): void;
  nextClaim(): Capacity;
}>;

type Lane = Readonly<{ inFlight: number; failures: number; proven: boolean }>;

const UNKNOWN: Lane = { inFlight: 0, failures: 0, proven: false };

/** Lanes as one worker process sees them: nothing is stored, a restart learns anew from the next three failures. */
export const createLanes = (limits: LaneLimits = LANE_LIMITS): Lanes => {
  const lanes = new Map<string, Lane>();
  const isSlow = ({ failures }: Lane): boolean => failures >= limits.slowAfter;
  const inFlight = (counted: (lane: Lane) => boolean): number =>
    [...lanes.values()].filter(counted).reduce((sum, lane) => sum + lane.inFlight, 0);
  const keep = (name: string, lane: Lane): void => {
    lanes.delete(name);
    if (lane.inFlight > 0 || lane.failures > 0 || lane.proven) lanes.set(name, lane);
    if (lanes.size > limits.remembered) forgetOne();
  };
  /** The one that was used least lately; those that fail are remembered longest, for everybody's sake. */
  const forgetOne = (): void => {
    const idle = [...lanes].filter(([, { inFlight }]) => inFlight === 0);
    const [name] = idle.find(([, { failures }]) => failures === 0) ?? idle[0] ?? [];
    if (name !== undefined) lanes.delete(name);
  };
  /** As many slow lanes as there is room for; each goes to the end of the line, so that every one has its turn. */
  const slowLanesInTurn = (): ReadonlySet<string> => {
    const room = Math.max(0, Math.floor((limits.slow - inFlight(isSlow)) / limits.perClaim));
    const slow = [...lanes].filter(([, lane]) => isSlow(lane)).slice(0, room);
    for (const [name, lane] of slow) keep(name, lane);
    return new Set(slow.map(([name]) => name));
  };
  const isFull = (lane: Lane): boolean =>
    lane.inFlight + limits.perClaim > (lane.proven ? limits.lane : limits.unproven);
  /** One company's addresses may be as many as it likes, and each a new lane. */
  const fullCompanies = (): readonly string[] => {
    const counts = new Map<string, number>();
    for (const [name, lane] of lanes) {
      const company = companyOf(name);
      counts.set(company, (counts.get(company) ?? 0) + lane.inFlight);
    }
    return [...counts].flatMap(([company, count]) =>
      count + limits.perCompanyClaim > limits.company ? company : [],
    );
  };
  return {
    started: (name) => {
      const lane = lanes.get(name) ?? UNKNOWN;
      keep(name, { ...lane, inFlight: lane.inFlight + 1 });
    },
    finished: (name, succeeded) => {
      const { inFlight, failures, proven } = lanes.get(name) ?? UNKNOWN;
      keep(name, {
        inFlight: Math.max(0, inFlight - 1),
        failures: succeeded === null ? failures : succeeded ? 0 : failures + 1,
        proven: succeeded ?? proven,
      });
    },
    nextClaim: () => {
      const inTurn = slowLanesInTurn();
      const skip = [...lanes].filter(([name, lane]) => (isSlow(lane) ? !inTurn.has(name) : isFull(lane)));
      return {
        limit: Math.max(0, limits.total - inFlight(() => true)),
        perLane: limits.perClaim,
        skip: skip.map(([name]) => name),
        perTenant: limits.perCompanyClaim,
        skipTenants: fullCompanies(),
      };
    },
  };
};

/** A lane's name begins with its company (`deliveryLane`). */
const companyOf = (lane: string): string => lane.split(' ', 1)[0] ?? '';
