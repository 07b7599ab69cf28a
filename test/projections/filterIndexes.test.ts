import * as assert from 'uvu/assert';
import { activity, activityQueries } from '../../projections/activity.ts';
import { batches, batchQueries } from '../../projections/batches.ts';
import { deliveries, deliveryQueries } from '../../projections/deliveries.ts';
import { reviewQueue, reviewQueueQueries } from '../../projections/reviewQueue.ts';
import { activityFilters, batchFilters, deliveryFilters, queueFilters } from '../../schemas/listFilters.ts';
import type { Index, Query, ReadModels, Where } from '../../stores/documents/port.ts';
import { suite } from '../harness.ts';

const test = suite('filters of lists have an index');

type List = (models: ReadModels, filters: Readonly<Record<string, string>>) => Promise<unknown>;

/** The paths of a list's conditions that no index has. */
const unindexed = async (indexes: readonly Index[], names: readonly string[], list: List) => {
  const paths = new Set(indexes.flatMap(({ sort }) => sort.map(({ path }) => path)));
  const asked: string[] = [];
  const page = async (_name: string, { where }: Readonly<{ where: Where }>) => {
    asked.push(...Object.keys(where));
    return { items: [], next: null };
  };
  const scope = { companyId: 'cmp_1', mode: 'live' };
  for (const name of names)
    await list({ page } as unknown as ReadModels, {
      ...scope,
      [name]: name === 'submissionId' ? 'sub_1' : 'x',
    });
  assert.ok(asked.length > names.length);
  return asked.filter((path) => !paths.has(path));
};

test('those of deliveries', async () => {
  const list: List = (models, filters) => deliveryQueries(models).list(filters, 1, null);
  // With its session's, which has one, it only compares what is found.
  assert.equal(await unindexed(deliveries.indexes, Object.keys(deliveryFilters), list), ['submissionId']);
});

test('those of batches', async () => {
  const list: List = (models, filters) =>
    batchQueries(models).list(filters as Parameters<ReturnType<typeof batchQueries>['list']>[0], 1, null);
  assert.equal(await unindexed(batches.indexes, Object.keys(batchFilters), list), []);
});

test('those of activity', async () => {
  const list: List = (models, filters) =>
    activityQueries(models).list(
      filters as Parameters<ReturnType<typeof activityQueries>['list']>[0],
      1,
      null,
    );
  assert.equal(await unindexed(activity.indexes, Object.keys(activityFilters), list), []);
});

test('of activity an actor and a type at once have one index, with the scope before and the order after them', async () => {
  let asked: Query | null = null;
  const page = async (_name: string, query: Query) => {
    asked = query;
    return { items: [], next: null };
  };
  const filters = { companyId: 'cmp_1', mode: 'live', actor: 'usr_1', type: 'UserInvited' } as const;
  await activityQueries({ page } as unknown as ReadModels).list(filters, 1, null);
  const { where, sort } = asked as unknown as Query;
  const paths = Object.keys(where);
  const begins = ({ sort: order }: Index): boolean =>
    order.slice(0, paths.length).every(({ path }) => paths.includes(path)) &&
    JSON.stringify(order.slice(paths.length)) === JSON.stringify(sort);
  assert.is(activity.indexes.filter(begins).length, 1);
});

test('those of the review queue', async () => {
  // Its order is no condition, and claims are not in it.
  const { order: _order, claimed: _claimed, reason: _reason, ...filters } = queueFilters;
  const list: List = (models, asked) =>
    reviewQueueQueries(models).page(
      asked as Parameters<ReturnType<typeof reviewQueueQueries>['page']>[0],
      'oldest',
      1,
      null,
      () => true,
    );
  assert.equal(await unindexed(reviewQueue.indexes, Object.keys(filters), list), []);
});
