import * as assert from 'uvu/assert';
import { createStopwatch } from '../../processing/stopwatch.ts';
import { suite } from '../harness.ts';

const test = suite('the stopwatch of a reading');

test('time goes to the step that was entered last, and inside to the inner one', async () => {
  let now = 0;
  const stopwatch = createStopwatch(() => now);
  now = 5;
  await stopwatch.during('recognise', async () => {
    now = 25;
  });
  now = 26;
  stopwatch.enter('understand');
  now = 30;
  assert.equal(stopwatch.spent(), { open: 6, recognise: 20, understand: 4 });
});

test('a step that fails is timed too, and what follows is not', async () => {
  let now = 0;
  const stopwatch = createStopwatch(() => now);
  const failing = stopwatch.during('recognise', async () => {
    now = 10;
    throw new Error('unreadable');
  });
  await failing.then(
    () => assert.unreachable(),
    () => undefined,
  );
  now = 11;
  assert.equal(stopwatch.spent(), { open: 1, recognise: 10, understand: 0 });
});
