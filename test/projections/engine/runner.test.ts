import * as assert from 'uvu/assert';
import { createProgress } from '../../../projections/engine/progress.ts';
import type { Projection } from '../../../projections/engine/projection.ts';
import { QUARANTINE } from '../../../projections/engine/quarantine.ts';
import { collectionOf, liveCheckpoint } from '../../../projections/engine/readModels.ts';
import { prepareProjections, runProjections } from '../../../projections/engine/runner.ts';
import type { Fence } from '../../../stores/documents/port.ts';
import { appendNumbers } from '../../controls/numbers.ts';
import { failure, fenceOf, type Stores, temporaryStores } from '../../controls/stores.ts';
import { eventually, suite } from '../../harness.ts';
import { counter } from '../counter.ts';

const test = suite('projections runner');

/** Starts the runner as a process would; `stop` ends it. */
const start = async (stores: Stores, projections: readonly Projection[], fence: Fence, page = 2) => {
  const stop = new AbortController();
  const progress = createProgress(async () => null);
  const quarantined: string[] = [];
  const onQuarantine = ({ key }: { key: string }): void => void quarantined.push(key);
  const { log, documents } = stores;
  const { signal } = stop;
  const running = runProjections({
    states: await prepareProjections(projections, documents.models),
    log,
    documents,
    progress,
    fence,
    signal,
    page,
    onQuarantine,
    onPage: () => undefined,
  });
  const end = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  return { progress, quarantined, running, stop: end };
};

const withStores = (body: (stores: Stores, fence: Fence) => Promise<void>) => async () => {
  const stores = temporaryStores();
  try {
    await body(stores, await fenceOf(stores, 'projections'));
  } finally {
    await stores.remove();
  }
};

const sumOf = async ({ documents }: Stores, projection: Projection, key: string) =>
  (await documents.models.get<{ sum: number }>(collectionOf(projection), key))?.sum;

test(
  'it catches up page by page, goes on live, and keeps its checkpoint',
  withStores(async (stores, fence) => {
    const projection = counter();
    await appendNumbers(stores, 'a', 1, 2, 3, 4, 5);
    const runner = await start(stores, [projection], fence);
    await eventually('caught up', async () => (await sumOf(stores, projection, 'a')) === 15);
    const position = await appendNumbers(stores, 'a', 6);
    assert.ok(await runner.progress.reached(position, 5_000));
    assert.is(await sumOf(stores, projection, 'a'), 21);
    await runner.stop();
    assert.is(await stores.documents.models.checkpoint(collectionOf(projection)), position);
  }),
);

test(
  'a restart goes on from the checkpoint of the slowest and doubles nothing',
  withStores(async (stores, fence) => {
    const [one, other] = [counter(), counter()];
    const { models } = stores.documents;
    assert.is(await liveCheckpoint([one, other], models), null);
    const first = await start(stores, [one, other], fence);
    const position = await appendNumbers(stores, 'a', 1, 2, 3);
    assert.ok(await first.progress.reached(position, 5_000));
    await first.stop();
    const ahead = await appendNumbers(stores, 'a', 4);
    await models.commit([], { [collectionOf(one)]: ahead }, fence);
    assert.is(await liveCheckpoint([one, other], models), position, 'the slowest counts');
    assert.is(await liveCheckpoint([other, one], models), position);
    const second = await start(stores, [one, other], fence);
    assert.ok(await second.progress.reached(ahead, 5_000));
    await second.stop();
    assert.is(await liveCheckpoint([one, other], models), ahead);
    assert.equal([await sumOf(stores, one, 'a'), await sumOf(stores, other, 'a')], [10, 10]);
  }),
);

test(
  'without its lease it ends with LeaseLost and moves no checkpoint',
  withStores(async (stores, fence) => {
    const projection = counter();
    const runner = await start(stores, [projection], fence);
    const before = await appendNumbers(stores, 'a', 1);
    assert.ok(await runner.progress.reached(before, 5_000));
    await stores.documents.leases.release(fence);
    await fenceOf(stores, 'projections');
    await appendNumbers(stores, 'a', 2);
    assert.is((await failure(runner.running)).name, 'LeaseLost');
    assert.is(await stores.documents.models.checkpoint(collectionOf(projection)), before);
  }),
);

test(
  'a quarantined document stays quarantined over a restart, and others go on',
  withStores(async (stores, fence) => {
    let poison = [2];
    const projection = counter(() => poison);
    const first = await start(stores, [projection], fence, 100);
    await appendNumbers(stores, 'a', 1, 2, 3);
    const position = await appendNumbers(stores, 'b', 4);
    assert.ok(await first.progress.reached(position, 5_000));
    assert.equal(first.quarantined, ['a']);
    await first.stop();
    poison = [];
    const second = await start(stores, [projection], fence);
    await appendNumbers(stores, 'a', 5);
    const last = await appendNumbers(stores, 'b', 6);
    assert.ok(await second.progress.reached(last, 5_000));
    await second.stop();
    assert.equal(second.quarantined, []);
    assert.equal([await sumOf(stores, projection, 'a'), await sumOf(stores, projection, 'b')], [1, 10]);
    const rows = await stores.documents.tables.list<{ key: string }>(QUARANTINE);
    assert.equal(
      rows.map(({ row }) => row.key),
      ['a'],
    );
  }),
);

test(
  'names point at their collections, and stay where they were pointed',
  withStores(async (stores) => {
    const projection = counter();
    const { models } = stores.documents;
    await prepareProjections([projection], models);
    assert.is(await models.alias(projection.name), collectionOf(projection));
    await models.alias(projection.name, collectionOf(projection, 2));
    const { live } = await prepareProjections([projection], models);
    assert.is(await models.alias(projection.name), collectionOf(projection, 2));
    assert.equal(
      live.map(({ collection }) => collection),
      [collectionOf(projection, 2)],
    );
  }),
);
