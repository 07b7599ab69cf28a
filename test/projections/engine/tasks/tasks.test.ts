import * as assert from 'uvu/assert';
import { createTasks, type WantedTask } from '../../../../projections/engine/tasks/tasks.ts';
import { withStores } from '../../../controls/stores.ts';
import { suite } from '../../../harness.ts';

const test = suite('rebuilds and retries that are asked for [operations-17]');

const wanted = (taskId: string, ...projections: readonly string[]): WantedTask => ({
  ...{ taskId, kind: 'rebuild', projections, document: null, anew: false, requestedBy: 'usr_1' },
});

test(
  'a task is kept once, and one of the same read model is given instead of another',
  withStores(async ({ documents: { tables }, clock }) => {
    const tasks = createTasks({ tables, clock });
    const first = await tasks.request(wanted('t1', 'a', 'b'));
    assert.equal([first.state, first.requestedAt], ['waiting', clock.now().toISOString()]);
    assert.equal(await tasks.request(wanted('t1', 'a', 'b')), first);
    assert.is((await tasks.request(wanted('t2', 'b', 'c'))).taskId, 't1');
    assert.is((await tasks.request(wanted('t3', 'c'))).taskId, 't3');
    assert.equal(
      (await tasks.list()).map(({ taskId }) => taskId),
      ['t3', 't1'],
    );
    assert.is((await tasks.next())?.taskId, 't1');
    await tasks.change('t1', (task) => ({ ...task, state: 'done' }));
    assert.is((await tasks.next())?.taskId, 't3');
    assert.is((await tasks.request(wanted('t4', 'b'))).taskId, 't4');
    assert.is(await tasks.find('t2'), null);
  }),
);

test(
  'of many who ask at once one begins',
  withStores(async ({ documents: { tables }, clock }) => {
    const asked = Array.from({ length: 20 }, (_, n) =>
      createTasks({ tables, clock }).request(wanted(`t${n}`, 'a')),
    );
    assert.is(new Set((await Promise.all(asked)).map(({ taskId }) => taskId)).size, 1);
  }),
);

test(
  'one that waits is cancelled at once, one that runs is to be, one that has ended stays as it is',
  withStores(async ({ documents: { tables }, clock, pass }) => {
    const tasks = createTasks({ tables, clock });
    for (const [id, projection] of Object.entries({ t1: 'a', t2: 'b', t3: 'c' }))
      await tasks.request(wanted(id, projection));
    pass(1_000);
    const at = clock.now().toISOString();
    const waiting = await tasks.cancel('t1');
    assert.equal([waiting?.state, waiting?.endedAt], ['cancelled', at]);
    await tasks.change('t2', (task) => ({ ...task, state: 'running' }));
    const running = await tasks.cancel('t2');
    assert.equal([running?.state, running?.cancelling, running?.endedAt], ['running', true, null]);
    await tasks.change('t3', (task) => ({ ...task, state: 'failed' }));
    const failed = await tasks.cancel('t3');
    assert.equal([failed?.state, failed?.cancelling], ['failed', false]);
    assert.is(await tasks.cancel('t4'), null);
  }),
);

test(
  'of those that have ended the last twenty are kept, and none that has not',
  withStores(async ({ documents: { tables }, clock }) => {
    const tasks = createTasks({ tables, clock });
    await tasks.request(wanted('first', 'z'));
    for (let n = 0; n < 25; n += 1) {
      await tasks.request(wanted(`t${n}`, 'a'));
      await tasks.cancel(`t${n}`);
    }
    await tasks.request(wanted('last', 'a'));
    const kept = (await tasks.list()).map(({ taskId }) => taskId);
    assert.equal([kept[0], kept[1], kept.at(-2), kept.at(-1)], ['last', 't24', 't5', 'first']);
    assert.is(kept.length, 22);
  }),
);
