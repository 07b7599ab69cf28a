import type { Clock } from '../../kernel/clock.ts';

/** A clock that stands still until it is told to go on. */
export const standingClock = (start = '2026-11-21T10:00:00.000Z') => {
  let now = Date.parse(start);
  const clock: Clock = { now: () => new Date(now) };
  return {
    clock,
    pass: (ms: number): void => {
      now += ms;
    },
  };
};
