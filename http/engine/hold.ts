import type { Position } from '../../kernel/event.ts';
import { waitFor } from '../../kernel/timeLimit.ts';

/** Resolves once the read models show everything up to `position`, or early when the signal is aborted. */
export type AwaitPosition = (position: Position, signal: AbortSignal) => Promise<void>;

/** Holds an answer until its events can be read, `limitMs` at most (reads-1). */
export const hold = async (
  position: Position,
  awaitPosition: AwaitPosition,
  limitMs: number,
): Promise<void> => {
  const late = new AbortController();
  try {
    await waitFor(awaitPosition(position, late.signal), limitMs);
  } finally {
    late.abort();
  }
};
