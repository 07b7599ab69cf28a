import { setTimeout } from 'node:timers/promises';
import { getTasks } from 'node-cron';
import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../../kernel/errors.ts';
import { supervise } from '../../../kernel/supervise.ts';
import { onSchedule, type Schedule, untilNext } from '../../../reactors/engine/schedule.ts';
import { failure, gate, keptReport } from '../../controls/stores.ts';
import { eventually, suite } from '../../harness.ts';

const test = suite('schedule [settings-4]');
const OFTEN = { everyMs: 20 };
const EVERY_SECOND = { cron: '*/1 * * * * *' };
const NEVER_SOON = { cron: '0 0 1 1 *' };

/** Counts the runs of a schedule; `body` waits for them. */
const counted = async (schedule: Schedule, body: (runs: () => number) => Promise<unknown>): Promise<void> => {
  const stop = new AbortController();
  let runs = 0;
  const run = async (): Promise<void> => {
    runs += 1;
  };
  const running = onSchedule(schedule, run, stop.signal);
  assert.is(runs, 1);
  await body(() => runs);
  stop.abort();
  await running;
};

test('runs at once on start, and again when its time comes', async () => {
  for (const schedule of [OFTEN, EVERY_SECOND])
    await counted(schedule, (runs) => eventually('two more runs', () => runs() >= 3));
});

test('an interval goes on evenly while the clock is set back by an hour and ahead by a month [operations-11]', async () => {
  await counted({ everyMs: 100 }, async (runs) => {
    for (const byMs of [-3_600_000, 30 * 86_400_000]) {
      const restore = setClock(byMs);
      const before = runs();
      await eventually('two more runs', () => runs() >= before + 2).finally(restore);
    }
  });
});

/** Sets the clock of this process; gives what puts it right again. */
const setClock = (byMs: number): (() => void) => {
  const Right = globalThis.Date;
  globalThis.Date = class extends Right {
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [Right.now() + byMs] : given) as [number]));
    }
    static override now = (): number => Right.now() + byMs;
  } as DateConstructor;
  return () => {
    globalThis.Date = Right;
  };
};

test('a run that takes long is not overtaken by the next one', async () => {
  const stop = new AbortController();
  const times = gate();
  let [now, most, runs] = [0, 0, 0];
  const run = async (): Promise<void> => {
    runs += 1;
    now += 1;
    most = Math.max(most, now);
    if (runs === 1) await times.opened;
    now -= 1;
  };
  const running = onSchedule(OFTEN, run, stop.signal);
  await setTimeout(3 * OFTEN.everyMs);
  assert.is(runs, 1);
  times.open();
  await eventually('the next run', () => runs === 2);
  assert.is(most, 1);
  stop.abort();
  await running;
});

/** The times of every five minutes, on a clock that only `pause` moves, by what `leaps` says beside. */
const clockOf = (leaps: readonly number[]) => {
  const FIVE_MINUTES = 300_000;
  let [now, asked, paused, pauses] = [Date.UTC(2026, 0, 1, 12, 1), 0, 0, 0];
  const next = (): number => {
    asked += 1;
    return (Math.floor(now / FIVE_MINUTES) + 1) * FIVE_MINUTES;
  };
  const pause = async (ms: number): Promise<void> => {
    paused += ms;
    now += ms + (leaps[pauses++] ?? 0);
  };
  const clock = { now: () => now, pause };
  return { next, clock, told: () => ({ asked, paused, at: new Date(now).toISOString() }) };
};

test('a cron expression is waited for on a clock that is set back or ahead, and no time passed over is computed [operations-11]', async () => {
  const { signal } = new AbortController();
  const untilDue = async (...leaps: readonly number[]) => {
    const { next, clock, told } = clockOf(leaps);
    await untilNext(next, signal, clock);
    return told();
  };
  assert.equal(await untilDue(), { asked: 5, paused: 240_000, at: '2026-01-01T12:05:00.000Z' });
  // Back by an hour in the first minute: the next time is that of the new clock.
  assert.equal(await untilDue(-3_600_000), { asked: 5, paused: 240_000, at: '2026-01-01T11:05:00.000Z' });
  // Ahead by thirty days: once, at once.
  const ahead = await untilDue(30 * 86_400_000);
  assert.equal([ahead.asked, ahead.paused], [2, 60_000]);
});

test('ends at once while it waits, after the run that is under way, and leaves no job behind', async () => {
  const stop = new AbortController();
  const work = gate();
  let ended = false;
  const busy = onSchedule(NEVER_SOON, () => work.opened, stop.signal).then(() => {
    ended = true;
  });
  const waiting = onSchedule(NEVER_SOON, async () => undefined, stop.signal);
  assert.is(getTasks().size, 2);
  await new Promise(setImmediate);
  stop.abort();
  await waiting;
  assert.is(ended, false);
  work.open();
  await busy;
  assert.is(getTasks().size, 0);
});

test('a run that throws ends it, for the supervisor to start it again', async () => {
  const { signal } = new AbortController();
  const run = () => Promise.reject(new Error('the store is away'));
  assert.match((await failure(onSchedule(NEVER_SOON, run, signal))).message, 'away');
  assert.is(getTasks().size, 0);
});

test('an unavailable store ends no schedule for good: its supervisor starts it again', async () => {
  const stop = new AbortController();
  const { report, lines } = keptReport();
  let runs = 0;
  const run = async (): Promise<void> => {
    runs += 1;
    if (runs < 3) throw new StoreUnavailable('away');
  };
  const running = supervise('sweep', (signal) => onSchedule(NEVER_SOON, run, signal), stop.signal, report);
  await eventually('a run that works', () => runs === 3);
  stop.abort();
  await running;
  // Each is reported; of an outage the log tells once (test/stores/availability/availability.test.ts).
  assert.equal(
    lines.map(({ level }) => level),
    ['error', 'error'],
  );
  assert.is(getTasks().size, 0);
});
