import type { Mode } from './scope.ts';

/**
 * The lane of a queue that work waits in: one a company and mode and, for work at another server, its origin.
 * A slow server so delays nobody else, and tests no live data. Stored with the work, and split only here.
 */
export const laneOf = (companyId: string, mode: Mode, origin: string | null = null): string =>
  origin === null ? `${companyId} ${mode}` : `${companyId} ${mode} ${origin}`;

/** The tenant of a lane: its company. */
export const tenantOf = (lane: string): string => lane.split(' ', 1)[0] ?? '';

/** The origin of a lane, null when its work stays here. */
export const originOf = (lane: string): string | null => lane.split(' ')[2] ?? null;

/** Counts what is in flight by lane (`laneOf`). */
export const createLimiter = () => {
  const counts = new Map<string, number>();
  const add = (lane: string, change: number): void => {
    const count = (counts.get(lane) ?? 0) + change;
    if (count > 0) counts.set(lane, count);
    else counts.delete(lane);
  };
  /** The names, each of a group of lanes, that have `limit` or more in flight. */
  const full = <N>(nameOf: (lane: string) => N, limit: number): ReadonlySet<N> => {
    const sums = new Map<N, number>();
    for (const [lane, count] of counts) sums.set(nameOf(lane), (sums.get(nameOf(lane)) ?? 0) + count);
    return new Set([...sums].flatMap(([name, count]) => (count >= limit ? name : [])));
  };
  return {
    started: (lane: string): void => add(lane, 1),
    finished: (lane: string): void => add(lane, -1),
    /** The lanes with something in flight. */
    lanes: (): readonly string[] => [...counts.keys()],
    inFlight: (lane: string): number => counts.get(lane) ?? 0,
    /** How much is in flight in all lanes. */
    total: (): number => [...counts.values()].reduce((sum, count) => sum + count, 0),
    fullCompanies: (limit: number) => full(tenantOf, limit),
    fullOrigins: (limit: number) => full(originOf, limit),
  };
};
