import { LeaseLost } from '../../../kernel/errors.ts';
import type { Position } from '../../../kernel/event.ts';
import type { Fence } from '../port.ts';
import type { Db } from './client.ts';
import type { ServerClock } from './clock.ts';
import { leaseCollection, liveLease } from './leases.ts';
import { escaped } from './names.ts';

export type Checkpoints = ReturnType<typeof checkpointsIn>;

type Positions = Readonly<Record<string, Position>>;
type Move = Readonly<{ positions: Positions; fence: Fence }>;
type Waiting = Move & Readonly<{ resolve(): void; reject(reason: unknown): void }>;

/** So soon after each other moves share a command: all reactors of a process get a page at the same time. */
const GATHER_MS = 5;

/**
 * Checkpoints are in the row of the lease that they were moved under. One may have been moved under several
 * leases (a rebuild's, then the live one's): it is where the furthest of them moved it. Each moves only
 * forward and no such row is ever removed, so it never goes back.
 */
export const checkpointsIn = (database: Db, clock: ServerClock) => {
  const rows = leaseCollection(database);
  const updateOf = async ({ positions, fence }: Move) => ({
    filter: await liveLease(fence, clock),
    update: { $set: { keeps: true as const }, $max: moved(positions) },
  });
  const advance = async (positions: Positions, fence: Fence): Promise<void> => {
    const { filter, update } = await updateOf({ positions, fence });
    const { matchedCount } = await rows.updateOne(filter, update);
    if (matchedCount === 0) throw new LeaseLost(fence.lease);
  };
  const advanceAll = async (moves: readonly Move[]): Promise<boolean> => {
    const updates = await Promise.all(moves.map(updateOf));
    const { matchedCount } = await rows.bulkWrite(
      updates.map((updateOne) => ({ updateOne })),
      { ordered: false },
    );
    return matchedCount === moves.length;
  };
  let waiting: Waiting[] = [];
  const flush = async (): Promise<void> => {
    const moves = waiting;
    waiting = [];
    try {
      const isDone = moves.length > 1 && (await advanceAll(moves));
      // Of several with a stale fence among them each learns by itself whether that is its own.
      for (const { positions, fence, resolve, reject } of moves)
        if (isDone) resolve();
        else advance(positions, fence).then(resolve, reject);
    } catch (error) {
      for (const { reject } of moves) reject(error);
    }
  };
  return {
    /** Throws `LeaseLost` when the fence is stale. */
    check: async (fence: Fence): Promise<void> => {
      const found = await rows.findOne(await liveLease(fence, clock), { projection: { _id: 1 } });
      if (!found) throw new LeaseLost(fence.lease);
    },
    /** Moves checkpoints forward, all or none. Throws `LeaseLost` when the fence is stale. */
    advance,
    /** The same for one that nobody waits for, by one command for all that are moved so within 5 ms. */
    advanceSoon: (positions: Positions, fence: Fence): Promise<void> =>
      new Promise((resolve, reject) => {
        waiting.push({ positions, fence, resolve, reject });
        if (waiting.length === 1) setTimeout(flush, GATHER_MS);
      }),
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

const moved = (positions: Positions): Positions =>
  Object.fromEntries(Object.entries(positions).map(([name, to]) => [`checkpoints.${escaped(name)}`, to]));

const furthest = (a: Position | null, b: Position | null): Position | null =>
  a === null || (b !== null && b > a) ? b : a;
