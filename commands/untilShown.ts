import { StoreUnavailable } from '../kernel/errors.ts';
import type { Position } from '../kernel/event.ts';

/** Whether the read models include a position, after so long at most. */
export type Progress = Readonly<{ reached(position: Position, timeoutMs: number): Promise<boolean> }>;

const BEHIND_MS = 10_000;

/**
 * Waits until the read models include the log up to a position (null: it is empty), for ten seconds at most.
 * Throws `StoreUnavailable` with `waits`, which says what waits for them.
 */
export const untilShown = async (
  progress: Progress,
  position: Position | null,
  waits: string,
): Promise<void> => {
  if (position !== null && !(await progress.reached(position, BEHIND_MS))) throw new StoreUnavailable(waits);
};
