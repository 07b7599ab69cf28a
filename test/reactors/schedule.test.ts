import { getTasks } from 'node-cron';
import * as assert from 'uvu/assert';
import { onSchedule } from '../../reactors/schedule.ts';
import { supervise } from '../../runtime/supervise.ts';
import { StoreUnavailable } from '../../stores/errors.ts';
import { failure, gate, keptReport } from '../controls/stores.ts';
import { eventually, suite } from '../harness.ts';

const test = suite('schedule');
const EVERY_SECOND = '*/1 * * * * *';
const NEVER_SOON = '0 0 1 1 *';

test('runs at once on start, and again when its time comes', async () => {
  const stop = new AbortController();
  let runs = 0;
  const run = async (): Promise<void> => {
    runs += 1;
  };
  const running = onSchedule(EVERY_SECOND, run, stop.signal);
  assert.is(runs, 1);
  await eventually('two more runs', () => runs >= 3);
  stop.abort();
  await running;
});

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
  const running = onSchedule(EVERY_SECOND, run, stop.signal);
  const [job] = [...getTasks().values()];
  await eventually('a time that comes during the run', () => job?.lastRun() ?? null);
  assert.is(runs, 1);
  times.open();
  await eventually('the next run', () => runs === 2);
  assert.is(most, 1);
  stop.abort();
  await running;
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

test('a store that is away ends no schedule for good: its supervisor starts it again', async () => {
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
  // Each is reported; of an outage the log tells once (test/runtime/outages.test.ts).
  assert.equal(
    lines.map(({ level }) => level),
    ['error', 'error'],
  );
  assert.is(getTasks().size, 0);
});
