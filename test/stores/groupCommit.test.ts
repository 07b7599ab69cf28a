import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../kernel/errors.ts';
import { groupCommit } from '../../stores/sqlite/groupCommit.ts';
import { suite } from '../harness.ts';

const test = suite('group commits');

const PATIENCE_MS = 5_000;
const busy = (): StoreUnavailable =>
  new StoreUnavailable('locked', { cause: Object.assign(new Error('locked'), { rawCode: 5 }) });

test('what shares a batch with an item that fails waits for the lock as long as any other', async () => {
  let alone = 0;
  const commits = groupCommit<string, string>((items) => {
    if (items.includes('bad')) throw new Error('bad');
    alone += 1;
    if (alone < 3) throw busy();
    return items;
  }, PATIENCE_MS);
  const outcomes = await Promise.allSettled([commits.add('bad'), commits.add('good')]);
  assert.equal(
    outcomes.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  );
  await commits.close();
});

test('the lock is waited for no longer than the patience', async () => {
  const commits = groupCommit<string, string>(() => {
    throw busy();
  }, 0);
  const [late] = await Promise.allSettled([commits.add('late')]);
  assert.is(late?.status === 'rejected' && late.reason instanceof StoreUnavailable, true);
  await commits.close();
});
