import * as assert from 'uvu/assert';
import { interleave } from '../../kernel/interleave.ts';
import { laneOf, originOf, tenantOf } from '../../kernel/lane.ts';
import { waitFor, within } from '../../kernel/timeLimit.ts';
import { suite } from '../harness.ts';

const test = suite('kernel helpers');

test('interleave gives the first of each list, then the second of each', () => {
  assert.equal(interleave([[1, 4], [2], [], [3, 5, 6]]), [1, 2, 3, 4, 5, 6]);
  assert.equal(interleave([]), []);
});

test('within gives the work or, after its time, what late does', async () => {
  const never = new Promise<never>(() => undefined);
  assert.is(await within(Promise.resolve('done'), 60_000, () => 'late'), 'done');
  assert.is(await within(never, 1, () => 'late'), 'late');
  const failed = await within(Promise.reject(new Error('failed')), 60_000, () => 'late').catch(
    ({ message }) => message,
  );
  assert.is(failed, 'failed');
  const late = await within(never, 1, () => {
    throw new Error('too late');
  }).catch(({ message }) => message);
  assert.is(late, 'too late');
  await waitFor(never, 1);
});

test('a lane is a company and mode and, elsewhere, an origin', () => {
  const lane = laneOf('cmp_1', 'live', 'https://example.com');
  assert.equal(
    [lane, tenantOf(lane), originOf(lane)],
    ['cmp_1 live https://example.com', 'cmp_1', 'https://example.com'],
  );
  assert.equal([tenantOf(laneOf('cmp_1', 'test')), originOf(laneOf('cmp_1', 'test'))], ['cmp_1', null]);
});
