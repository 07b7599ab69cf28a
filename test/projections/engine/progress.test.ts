import * as assert from 'uvu/assert';
import type { Position } from '../../../kernel/event.ts';
import { createProgress } from '../../../projections/engine/progress.ts';
import { suite } from '../../harness.ts';

const test = suite('progress');
const at = (n: number): Position => String(n).padStart(16, '0') as Position;
const nowhere = async (): Promise<null> => null;

test('what was reached before is reached at once', async () => {
  const progress = createProgress(nowhere);
  progress.advanced(at(5));
  assert.ok(await progress.reached(at(5), 0));
  assert.ok(await progress.reached(at(4), 0));
});

test('a notification ends the wait, long before its end', async () => {
  const progress = createProgress(nowhere);
  const waiting = progress.reached(at(5), 60_000);
  progress.advanced(at(4));
  progress.advanced(at(6));
  assert.is(await waiting, true);
});

test("another process' checkpoint ends the wait", async () => {
  let stored: Position | null = null;
  let asked = 0;
  const progress = createProgress(async () => {
    asked += 1;
    if (asked === 2) stored = at(5);
    return stored;
  });
  assert.is(await progress.reached(at(5), 60_000), true);
  assert.is(asked, 2);
});

test('the store is polled seldom while a runner of this process makes the read models', async () => {
  let asked = 0;
  const progress = createProgress(async () => {
    asked += 1;
    return at(4);
  });
  const end = progress.started();
  assert.is(await progress.reached(at(5), 240), false);
  // A timer may fire a moment before the time is over, more than once on a slow machine; without the runner
  // it would be twelve times.
  assert.ok(asked <= 4, `asked ${asked} times`);
  end();
  asked = 0;
  assert.is(await progress.reached(at(5), 240), false);
  assert.ok(asked > 2, `asked ${asked} times`);
});

test('it gives up after its time', async () => {
  const progress = createProgress(async () => at(4));
  assert.is(await progress.reached(at(5), 30), false);
  assert.ok(await progress.reached(at(4), 0));
});

test('it never goes back', async () => {
  const progress = createProgress(nowhere);
  progress.advanced(at(5));
  progress.advanced(at(3));
  assert.ok(await progress.reached(at(5), 0));
});

test('an unavailable store fails the waiting calls', async () => {
  const progress = createProgress(() => Promise.reject(new Error('away')));
  const outcome = await progress.reached(at(1), 60_000).catch((error: Error) => error.message);
  assert.is(outcome, 'away');
});

test('listeners get every advance until they unsubscribe', () => {
  const progress = createProgress(nowhere);
  const heard: unknown[] = [];
  const leave = progress.watch((changed) => heard.push(changed));
  const changed = new Set(['a']);
  progress.advanced(at(1));
  progress.advanced(at(2), changed);
  leave();
  progress.advanced(at(3));
  assert.equal(heard, [null, changed]);
});
