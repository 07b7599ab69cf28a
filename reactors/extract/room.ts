import type { Capacity } from '../worker.ts';

/**
 * `perLane`: attempts of one lane (a company and mode) that may wait for extractors elsewhere before no more of it is begun here. `total`:
 * those of all lanes.
 */
export type RoomLimits = Readonly<{ perLane: number; total: number }>;

const LIMITS: RoomLimits = { perLane: 16, total: 256 };

/**
 * How much processing may go on in this process: as many attempts as it has `places`, beside those that wait for an extractor elsewhere, which
 * take next to nothing here. An extractor that hangs so delays nobody but its own company.
 */
export const createRoom = (places: number, limits: RoomLimits = LIMITS) => {
  const waiting = new Map<string, number>();
  const add = (lane: string, change: number): void => {
    const count = (waiting.get(lane) ?? 0) + change;
    if (count === 0) waiting.delete(lane);
    else waiting.set(lane, count);
  };
  const outside = (): number => [...waiting.values()].reduce((sum, count) => sum + count, 0);
  return {
    /** Counts an attempt of a lane as waiting until `wait` has ended. */
    elsewhere: async <T>(lane: string, wait: () => Promise<T>): Promise<T> => {
      add(lane, 1);
      try {
        return await wait();
      } finally {
        add(lane, -1);
      }
    },
    /** How many of the `running` attempts take a place here. */
    here: (running: number): number => running - outside(),
    /** What may be begun while `running` attempts are under way, those that wait included. */
    capacity: (running: number): Capacity => {
      const free = outside() >= limits.total ? 0 : places - (running - outside());
      const full = [...waiting].filter(([, count]) => count >= limits.perLane);
      return { limit: free, perLane: free, skip: full.map(([lane]) => lane) };
    },
  };
};
