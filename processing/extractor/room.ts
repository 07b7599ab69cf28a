import type { Capacity } from '../../stores/documents/port.ts';

/**
 * How many attempts may wait for extractors elsewhere before no more are begun here: `perLane` of a lane (a company, mode and origin),
 * `perOrigin` for one origin whoever asks it, `perCompany` of one company whomever it asks, `total` of all.
 */
export type RoomLimits = Readonly<{ perLane: number; perOrigin: number; perCompany: number; total: number }>;

const LIMITS: RoomLimits = { perLane: 16, perOrigin: 128, perCompany: 128, total: 256 };

/**
 * How much processing may go on in this process: as many attempts as it has `places`, beside those that wait for an extractor elsewhere, which
 * take next to nothing here. An extractor that hangs so delays nobody but those who ask it: its lanes are left alone, no others. Beyond the
 * other limits that is so of the lanes that have some waiting: files that are read here, and the first of a lane, always have their turn.
 */
export const createRoom = (places: number, limits: RoomLimits = LIMITS) => {
  const waiting = new Map<string, number>();
  const add = (lane: string, change: number): void => {
    const count = (waiting.get(lane) ?? 0) + change;
    if (count === 0) waiting.delete(lane);
    else waiting.set(lane, count);
  };
  const outside = (): number => [...waiting.values()].reduce((sum, count) => sum + count, 0);
  const fullLanes = (): readonly string[] => {
    const lanes = [...waiting].map(([lane, count]) => ({ lane, count, ...partsOf(lane) }));
    const ofCompany = totals(lanes.map(({ company, count }) => [company, count]));
    const ofOrigin = totals(lanes.map(({ origin, count }) => [origin, count]));
    const isFull = ({ company, origin, count }: (typeof lanes)[number]): boolean =>
      count >= limits.perLane ||
      ofCompany(company) >= limits.perCompany ||
      ofOrigin(origin) >= limits.perOrigin;
    const all = outside() >= limits.total;
    return lanes.filter((one) => all || isFull(one)).map(({ lane }) => lane);
  };
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
    /** How many of the `running` attempts have a place here. Those that are back from elsewhere may have to wait for theirs. */
    here: (running: number): number => Math.min(places, running - outside()),
    /** What may be begun while `running` attempts are under way, those that wait included. */
    capacity: (running: number): Capacity => {
      const free = places - (running - outside());
      return { limit: free, perLane: free, skip: fullLanes() };
    },
  };
};

/** A lane's name begins with its company and ends with its origin (`processingLane`). */
const partsOf = (lane: string): Readonly<{ company: string; origin: string }> => {
  const [company = '', _mode, origin = ''] = lane.split(' ');
  return { company, origin };
};

/** The sum of the counts by name. */
const totals = (counts: readonly (readonly [string, number])[]): ((name: string) => number) => {
  const sums = new Map<string, number>();
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
  return (name) => sums.get(name) ?? 0;
};
