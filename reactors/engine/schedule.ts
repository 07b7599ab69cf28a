import { createTask, validate } from 'node-cron';
import { pause } from '../../kernel/signals.ts';

/** When something recurs: every so many milliseconds, from start to start, or by a cron expression in UTC. */
export type Schedule = Readonly<{ everyMs: number } | { cron: string }>;

type Run = (signal: AbortSignal) => Promise<void>;
/** Gives the next time that a cron expression names, in milliseconds since 1970. */
type Next = () => number;
type Clock = Readonly<{ now(): number; pause(ms: number, signal: AbortSignal): Promise<void> }>;

/**
 * Runs `run` at once and then on the schedule, never twice at a time: a time during a run is skipped. Ends
 * when the signal is aborted and the current run has ended; throws what a run throws.
 */
export const onSchedule = (schedule: Schedule, run: Run, signal: AbortSignal): Promise<void> =>
  'cron' in schedule ? atTimes(schedule.cron, run, signal) : atIntervals(schedule.everyMs, run, signal);

/** By timers, which a change of the machine's clock does not affect. */
const atIntervals = async (everyMs: number, run: Run, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const start = performance.now();
    await run(signal);
    await pause(everyMs - ((performance.now() - start) % everyMs), signal);
  }
};

const atTimes = async (cron: string, run: Run, signal: AbortSignal): Promise<void> => {
  const { next, end } = timesOf(cron);
  try {
    while (!signal.aborted) {
      await run(signal);
      await untilNext(next, signal);
    }
  } finally {
    end();
  }
};

/** How often the clock is read while waiting: it may be set. */
const POLL_MS = 60_000;
const machine: Clock = { now: () => Date.now(), pause };

/**
 * Resolves at the next time, or when the signal is aborted. Only the next one is computed: a clock that is
 * set ahead leads to one run for all that it skipped; one that is set back is noticed within a minute.
 */
export const untilNext = async (next: Next, signal: AbortSignal, clock = machine): Promise<void> => {
  for (let due = next(); !signal.aborted && clock.now() < due; due = Math.min(due, next()))
    await clock.pause(Math.min(due - clock.now(), POLL_MS), signal);
};

/**
 * node-cron parses the expression and computes its times. Its own timer is not used: it computes each time
 * that a clock set ahead has skipped in one turn of the event loop, and waits for a clock that was set back.
 */
const timesOf = (cron: string): Readonly<{ next: Next; end(): void }> => {
  // In UTC no hour comes twice or not at all.
  const task = createTask(cron, () => undefined, { timezone: 'UTC' });
  const next = (): number => {
    const [time] = task.getNextRuns(1);
    if (!time) throw new Error(`the cron expression ${cron} names no time`);
    return time.getTime();
  };
  return { next, end: () => void task.destroy() };
};

/** Whether node-cron can read an expression, and it names a time that comes. */
export const isCron = (text: string): boolean => {
  if (!validate(text)) return false;
  const { next, end } = timesOf(text);
  try {
    return next() > 0;
  } catch {
    return false; // such as the 31st of February
  } finally {
    end();
  }
};
