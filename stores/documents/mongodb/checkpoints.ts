import { LeaseLost } from '../../../kernel/errors.ts';
import type { Position } from '../../../kernel/event.ts';
import type { Fence } from '../port.ts';
import type { Db } from './client.ts';
import type { ServerClock } from './clock.ts';
import { leaseCollection, liveLease } from './leases.ts';
import { escaped } from './names.ts';

export type Checkpoints = ReturnType<typeof checkpointsIn>;

/**
 * Checkpoints are in the row of the lease that they were moved under. One may have been moved under several
 * leases (a rebuild's, then the live one's): it is where the furthest of them moved it. Each moves only
 * forward and no such row is ever removed, so it never goes back.
 */
export const checkpointsIn = (database: Db, clock: ServerClock) => {
  const rows = leaseCollection(database);
  return {
    /** Throws `LeaseLost` when the fence is stale. */
    check: async (fence: Fence): Promise<void> => {
      const found = await rows.findOne(await liveLease(fence, clock), { projection: { _id: 1 } });
      if (!found) throw new LeaseLost(fence.lease);
    },
    /** Moves checkpoints forward, all or none. Throws `LeaseLost` when the fence is stale. */
    advance: async (positions: Readonly<Record<string, Position>>, fence: Fence): Promise<void> => {
      const moved = Object.fromEntries(
        Object.entries(positions).map(([name, to]) => [`checkpoints.${escaped(name)}`, to]),
      );
      const change = { $set: { keeps: true as const }, $max: moved };
      const { matchedCount } = await rows.updateOne(await liveLease(fence, clock), change);
      if (matchedCount === 0) throw new LeaseLost(fence.lease);
    },
    /** The positions of checkpoints, in the order of their names. */
    read: async (names: readonly string[]): Promise<readonly (Position | null)[]> => {
      const keys = names.map(escaped);
      const projection = Object.fromEntries(keys.map((key) => [`checkpoints.${key}`, 1]));
      const found = await rows.find({ keeps: true }, { projection }).toArray();
      return keys.map((key) =>
        found.map(({ checkpoints }) => checkpoints?.[key] ?? null).reduce(furthest, null),
      );
    },
  };
};

const furthest = (a: Position | null, b: Position | null): Position | null =>
  a === null || (b !== null && b > a) ? b : a;
