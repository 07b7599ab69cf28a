import { createTask } from 'node-cron';
import * as assert from 'uvu/assert';
import { cronPattern } from '../../runtime/cronPattern.ts';
import { suite } from '../harness.ts';

const test = suite('cron patterns');
const MINUTE = 60_000;

test('a whole part of a minute or of an hour comes evenly', () => {
  for (const ms of [
    1_000,
    2_000,
    10_000,
    30_000,
    MINUTE,
    2 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    60 * MINUTE,
  ]) {
    const pattern = cronPattern(ms);
    assert.ok(pattern, `${ms} ms`);
    const times = createTask(pattern, () => undefined, { timezone: 'UTC' })
      .getNextRuns(65)
      .map((time) => time.getTime());
    for (const [index, time] of times.slice(1).entries()) assert.is(time - (times[index] ?? 0), ms, pattern);
  }
});

test('any other time has none: it would come unevenly', () => {
  for (const ms of [0, 1, 500, 1_500, 7_000, 59_000, 90_000, 7 * MINUTE, 45 * MINUTE, 120 * MINUTE, 1e12])
    assert.is(cronPattern(ms), null, `${ms} ms`);
});
