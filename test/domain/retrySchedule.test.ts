import * as assert from 'uvu/assert';
import { EXTENDED_DELAYS_MS, nextAttemptAt, RETRY_DELAYS_MS } from '../../domain/retrySchedule.ts';
import { suite } from '../harness.ts';

const test = suite('the retry schedule');
const noon = '2026-11-21T12:00:00.000Z';

test('the first attempt is due at once', () => assert.is(nextAttemptAt(0, noon), noon));
test('retry 1 comes 30 seconds after the first failure', () =>
  assert.is(nextAttemptAt(1, noon), '2026-11-21T12:00:30.000Z'));
test('retry 2 comes 5 minutes after the second', () =>
  assert.is(nextAttemptAt(2, noon), '2026-11-21T12:05:00.000Z'));
test('retry 3 comes 30 minutes after the third', () =>
  assert.is(nextAttemptAt(3, noon), '2026-11-21T12:30:00.000Z'));
test('after the fourth failure there is none', () => {
  assert.is(nextAttemptAt(4, noon), null);
  assert.is(nextAttemptAt(40, noon), null);
});

test('a receiver that always fails gets four attempts, the last 35 min 30 s after the first [webhooks-16]', () => {
  const attempts: string[] = [];
  for (let due: string | null = noon; due !== null; due = nextAttemptAt(attempts.length, due))
    attempts.push(due);
  assert.equal(attempts, [
    noon,
    '2026-11-21T12:00:30.000Z',
    '2026-11-21T12:05:30.000Z',
    '2026-11-21T12:35:30.000Z',
  ]);
});

test('by the extended schedule there are twelve, the last 71 h 35 min 30 s after the first [endpoints-12]', () => {
  const attempts: string[] = [];
  for (
    let due: string | null = noon;
    due !== null;
    due = nextAttemptAt(attempts.length, due, EXTENDED_DELAYS_MS)
  )
    attempts.push(due);
  assert.is(attempts.length, 12);
  assert.equal(attempts.slice(0, 5), [
    ...[noon, '2026-11-21T12:00:30.000Z', '2026-11-21T12:05:30.000Z', '2026-11-21T12:35:30.000Z'],
    '2026-11-21T14:35:30.000Z',
  ]);
  assert.is(attempts.at(-1), '2026-11-24T11:35:30.000Z');
});

test('the delays can be set', () => {
  assert.is(nextAttemptAt(1, noon, []), null);
  assert.is(nextAttemptAt(1, noon, [0]), noon);
  assert.is(nextAttemptAt(2, noon, [0, 1_500]), '2026-11-21T12:00:01.500Z');
  assert.equal(RETRY_DELAYS_MS, [30_000, 300_000, 1_800_000]);
});
