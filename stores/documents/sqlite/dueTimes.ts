import type { Clock } from '../../../kernel/clock.ts';

/**
 * Up to which times (ISO 8601) documents are due: all up to `now`, those at or before the position `upTo` up
 * to `planned`, which is never earlier.
 */
export type DueTimes = Readonly<{ now: string; planned: string; upTo: string }>;

/** A clock that is slewed goes on without a jump. */
const JUMP_MS = 2_000;

/**
 * Gives what is due now. What was planned before the clock was set back is due by the clock as it was: it
 * would wait as long again, a whole queue of it. `steadyMs` is a timer that nobody sets, `newest` the
 * position of the newest document.
 */
export const dueTimes = (clock: Clock, steadyMs: () => number, newest: () => string): (() => DueTimes) => {
  const offset = (): number => clock.now().getTime() - steadyMs();
  let [known, aheadMs, upTo] = [offset(), 0, ''];
  return () => {
    const jumpMs = offset() - known;
    known += jumpMs;
    if (jumpMs <= -JUMP_MS) upTo = newest();
    if (Math.abs(jumpMs) >= JUMP_MS) aheadMs = Math.max(0, aheadMs - jumpMs);
    const now = clock.now();
    return { now: now.toISOString(), planned: new Date(now.getTime() + aheadMs).toISOString(), upTo };
  };
};
