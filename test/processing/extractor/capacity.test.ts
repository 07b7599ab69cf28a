import * as assert from 'uvu/assert';
import { createCapacity } from '../../../processing/extractor/capacity.ts';
import { gate } from '../../controls/stores.ts';
import { suite } from '../../harness.ts';

const test = suite('capacity for processing');

test('as many attempts as there are workers', () => {
  const { next } = createCapacity(2);
  assert.equal(next(0), { limit: 2, perLane: 2, skip: [] });
  assert.is(next(2).limit, 0);
});

test('attempts that wait for an extractor take no worker until it has answered', async () => {
  const { next, waitingFor } = createCapacity(2);
  const { opened, open } = gate();
  const waiting = [1, 2].map(() => waitingFor('a', () => opened));
  assert.is(next(2).limit, 2);
  assert.is(next(3).limit, 1);
  open();
  await Promise.all(waiting);
  assert.is(next(2).limit, 0);
});

/** Attempts that wait in lanes until the end, and fail. */
const failingAttempts = (capacity: ReturnType<typeof createCapacity>) => {
  const { opened, open } = gate<never>();
  const failure = opened.then(() => Promise.reject(new Error('unavailable')));
  const waiting: Promise<unknown>[] = [];
  return {
    start: (...lanes: readonly string[]): void => {
      for (const lane of lanes) waiting.push(capacity.waitingFor(lane, () => failure).catch(() => undefined));
    },
    end: async (): Promise<void> => {
      open(undefined as never);
      await Promise.all(waiting);
    },
  };
};
const limits = { perLane: 2, perOrigin: 9, perCompany: 9, total: 9 };
const A_TO_X = 'cmp_a live https://x.example';
const A_TO_Y = 'cmp_a live https://y.example';
const B_TO_X = 'cmp_b live https://x.example';

test('a lane at its limit of waiting attempts starts no more, others do; an attempt that throws waits no longer', async () => {
  const capacity = createCapacity(2, limits);
  const { start, end } = failingAttempts(capacity);
  start(A_TO_X, A_TO_X, A_TO_Y);
  assert.equal(capacity.next(3), { limit: 2, perLane: 2, skip: [A_TO_X] });
  await end();
  assert.equal(capacity.next(0), { limit: 2, perLane: 2, skip: [] });
});

for (const [what, over, skip] of [
  ['a company', { perCompany: 2 }, [A_TO_X, A_TO_Y]],
  ['an origin', { perOrigin: 2 }, [A_TO_X, B_TO_X]],
  ['all', { total: 3 }, [A_TO_X, A_TO_Y, B_TO_X]],
] as const)
  test(`the limit of waiting attempts of ${what} skips its lanes, and no others`, async () => {
    const capacity = createCapacity(2, { ...limits, ...over });
    const { start, end } = failingAttempts(capacity);
    start(A_TO_X, A_TO_Y, B_TO_X);
    assert.equal(capacity.next(3), { limit: 2, perLane: 2, skip });
    await end();
  });
