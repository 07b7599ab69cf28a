import * as assert from 'uvu/assert';
import { createChanges } from '../../../projections/engine/changes.ts';
import { failure } from '../../controls/stores.ts';
import { eventually, suite } from '../../harness.ts';

const test = suite('waiting for a change');
const never = new AbortController().signal;
const LONG_MS = 30_000;

/** States by key that a test sets, and how often they were read. */
const stage = () => {
  const states = new Map<string, string>();
  const reads: string[] = [];
  const changes = createChanges(async (key) => {
    reads.push(key);
    const state = states.get(key);
    if (state === undefined) throw new Error('the store is away');
    return state;
  });
  return { states, reads, changes };
};

test('it ends with the new state, soon after a nudge, and within a second without one', async () => {
  const { states, changes } = stage();
  states.set('a', '1');
  for (const isNudged of [true, false]) {
    const before = await changes.state('a');
    const waiting = changes.after('a', before, LONG_MS, never);
    states.set('a', `${before}+`);
    if (isNudged) changes.nudge();
    assert.is(await waiting, `${before}+`);
  }
});

test('a change between the reading and the wait is not missed', async () => {
  const { states, changes } = stage();
  states.set('a', '1');
  const before = await changes.state('a');
  states.set('a', '2');
  assert.is(await changes.after('a', before, LONG_MS, never), '2');
});

test('it ends without a state when its time is over, and when its signal is aborted', async () => {
  const { states, changes } = stage();
  states.set('a', '1');
  assert.is(await changes.after('a', '1', 20, never), null);
  assert.is(await changes.after('a', '1', -5, never), null);
  assert.is(await changes.after('a', '1', LONG_MS, AbortSignal.abort()), null);
  const leaving = new AbortController();
  const waiting = changes.after('a', '1', LONG_MS, leaving.signal);
  leaving.abort();
  assert.is(await waiting, null);
});

test('what changes of another key wakes nobody, and a nudge without a change neither', async () => {
  const { states, reads, changes } = stage();
  states.set('a', '1').set('b', '1');
  const of = { a: changes.after('a', '1', LONG_MS, never), b: changes.after('b', '1', LONG_MS, never) };
  changes.nudge();
  await eventually('both were read', () => reads.includes('a') && reads.includes('b'));
  states.set('b', '2');
  changes.nudge();
  assert.is(await of.b, '2');
  assert.is(await Promise.race([of.a, 'still waiting']), 'still waiting');
  states.set('a', '2');
  changes.nudge();
  assert.is(await of.a, '2');
});

test('many who wait for one key cost one reading a round, and nothing is read when nobody waits', async () => {
  const { states, reads, changes } = stage();
  states.set('a', '1');
  const all = Array.from({ length: 100 }, () => changes.after('a', '1', LONG_MS, never));
  states.set('a', '2');
  changes.nudge();
  assert.equal([...new Set(await Promise.all(all))], ['2']);
  assert.is(reads.length, 1);
  changes.nudge();
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.is(reads.length, 1);
  states.set('a', '3');
  assert.is(await changes.after('a', '2', LONG_MS, never), '3', 'and it goes on when somebody waits again');
});

test('what can’t be read fails those who wait for it, and no others', async () => {
  const { states, changes } = stage();
  states.set('a', '1');
  const of = {
    a: changes.after('a', '1', LONG_MS, never),
    b: failure(changes.after('b', '1', LONG_MS, never)),
  };
  changes.nudge();
  assert.is((await of.b).message, 'the store is away');
  states.set('a', '2');
  changes.nudge();
  assert.is(await of.a, '2');
});
