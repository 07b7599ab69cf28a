import * as assert from 'uvu/assert';
import { createStopwatch } from '../../processing/engine/stopwatch.ts';
import { suite } from '../harness.ts';

const test = suite('processing/engine/stopwatch');

test('time counts for the step that was entered last, until the times are read', () => {
  let now = 0;
  const stopwatch = createStopwatch(() => now);
  const steps = [
    [5, 'recognise'],
    [25, 'open'],
    [26, 'understand'],
  ] as const;
  for (const [at, step] of steps) {
    now = at;
    stopwatch.enter(step);
  }
  now = 30;
  assert.equal(stopwatch.times(), { open: 6, recognise: 20, understand: 4 });
});
