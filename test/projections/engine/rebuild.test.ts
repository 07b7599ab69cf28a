import * as assert from 'uvu/assert';
import { settle } from '../../../projections/engine/live.ts';
import { parkedEvents } from '../../../projections/engine/parked.ts';
import { createProgress } from '../../../projections/engine/progress.ts';
import type { Projection } from '../../../projections/engine/projection.ts';
import { QUARANTINE, quarantinedPage } from '../../../projections/engine/quarantine.ts';
import { collectionOf, liveCheckpoint, readModelStates } from '../../../projections/engine/readModels.ts';
import { runRebuild, runRetry } from '../../../projections/engine/rebuild/leased.ts';
import type { RebuildEvent } from '../../../projections/engine/rebuild/rebuild.ts';
import { readRecord, retire } from '../../../projections/engine/rebuild/registry.ts';
import { projectionStatus } from '../../../projections/engine/status.ts';
import { noRecorder } from '../../../telemetry/recorder.ts';
import { appendNumbers } from '../../controls/numbers.ts';
import { failure, fenceOf, keptReport, type Stores, withStores } from '../../controls/stores.ts';
import { suite } from '../../harness.ts';
import { counter } from '../counter.ts';

const test = suite('a rebuild');

/** Brings the live read models to the log's end, as a running server would. */
const live = async (stores: Stores, projections: readonly Projection[]): Promise<void> => {
  const progress = createProgress(() => liveCheckpoint(projections, stores.documents.models));
  const { report } = keptReport();
  const ports = { ...stores, projections, progress, recorder: noRecorder, owner: 'live', report };
  assert.ok(await settle(ports, await stores.log.head()));
};

type Over = Readonly<{
  page?: number;
  anew?: boolean;
  signal?: AbortSignal;
  onEvent?: (event: RebuildEvent) => void;
  graceMs?: number;
  isServed?: () => Promise<boolean>;
}>;

/** Rebuilds, and gives what was told. */
const rebuild = async (stores: Stores, projections: readonly Projection[], over: Over = {}) => {
  const told: RebuildEvent[] = [];
  const { page = 2, anew = false, signal = new AbortController().signal, graceMs = 0, isServed } = over;
  const onEvent = (event: RebuildEvent): void => {
    told.push(event);
    over.onEvent?.(event);
  };
  const { log, documents } = stores;
  const options = {
    log,
    documents,
    owner: 'rebuilder',
    signal,
    page,
    anew,
    patienceMs: 0,
    graceMs,
    ...(isServed && { isServed }),
    onEvent,
  };
  const isDone = await runRebuild(options, projections);
  const of = <E extends RebuildEvent['event']>(event: E) =>
    told.filter((one): one is Extract<RebuildEvent, { event: E }> => one.event === event);
  return { isDone, told, of };
};

const sumOf = async ({ documents }: Stores, { name }: Projection, key: string) =>
  (await documents.models.get<{ sum: number }>(name, key))?.sum;

test(
  'the old collection stays for queries that still read it, but not where nobody asks any',
  withStores(async (stores) => {
    const projection = counter();
    await appendNumbers(stores, 'a', 1, 2, 3);
    await live(stores, [projection]);
    const graceMs = 3_600_000;
    const unserved = await rebuild(stores, [projection], { graceMs, isServed: async () => false });
    assert.equal(unserved.of('dropped').length, 1);
    const stop = new AbortController();
    const isServed = async () => {
      setImmediate(() => stop.abort());
      return true;
    };
    const served = await rebuild(stores, [projection], { graceMs, isServed, signal: stop.signal });
    assert.equal(served.of('dropped'), []);
  }),
);

test(
  'fills a new collection, which serves once it has caught up, and drops the old one',
  withStores(async (stores) => {
    const projection = counter();
    const { models } = stores.documents;
    await appendNumbers(stores, 'a', 1, 2, 3, 4, 5);
    await live(stores, [projection]);
    await appendNumbers(stores, 'a', 6);
    const { isDone, of } = await rebuild(stores, [projection]);
    assert.ok(isDone);
    const [old, made] = [collectionOf(projection), collectionOf(projection, 2)];
    assert.equal(
      of('begun').map(({ serves, collection, events }) => [serves, collection, events]),
      [[old, made, 0]],
    );
    assert.equal(of('progress').at(-1), { event: 'progress', events: 6, total: 6, share: 1 });
    const [comparison] = of('compared');
    assert.equal([comparison?.documents, comparison?.sampled], [{ before: 1, after: 1 }, 1]);
    assert.equal(comparison?.differences, []);
    assert.is(await models.alias(projection.name), made);
    assert.is(await sumOf(stores, projection, 'a'), 21);
    assert.is(await models.count(old), 0);
    await appendNumbers(stores, 'a', 7);
    await live(stores, [projection]);
    assert.is(await sumOf(stores, projection, 'a'), 28);
    assert.equal((await readRecord(stores.documents.tables, projection.name)).retired, []);
    const third = await rebuild(stores, [projection]);
    assert.is(third.of('begun')[0]?.collection, collectionOf(projection, 3), 'no name serves twice');
  }),
);

test(
  'that was cancelled goes on from its checkpoint, and what serves is as it was',
  withStores(async (stores) => {
    const projections = [counter(), counter()];
    await appendNumbers(stores, 'a', 1, 2, 3, 4, 5, 6, 7, 8);
    await live(stores, projections);
    const stop = new AbortController();
    const onEvent = ({ event }: RebuildEvent): void => {
      if (event === 'progress') stop.abort();
    };
    const cut = await rebuild(stores, projections, { signal: stop.signal, onEvent });
    assert.is(cut.isDone, false);
    for (const projection of projections) {
      assert.is(await stores.documents.models.alias(projection.name), collectionOf(projection));
      assert.is(await sumOf(stores, projection, 'a'), 36);
    }
    const { isDone, of } = await rebuild(stores, projections);
    assert.ok(isDone);
    assert.equal(
      of('begun').map(({ collection, events }) => [collection, events]),
      projections.map((projection) => [collectionOf(projection, 2), 2]),
    );
    assert.equal(
      of('progress').map(({ events }) => events),
      [4, 6, 8],
    );
    for (const projection of projections) assert.is(await sumOf(stores, projection, 'a'), 36);
  }),
);

test(
  'starts anew on request, and drops the unfinished collection',
  withStores(async (stores) => {
    const projection = counter();
    const { models } = stores.documents;
    await appendNumbers(stores, 'a', 1, 2, 3, 4);
    await live(stores, [projection]);
    const stop = new AbortController();
    await rebuild(stores, [projection], { signal: stop.signal, onEvent: () => stop.abort() });
    const { of } = await rebuild(stores, [projection], { anew: true });
    assert.equal(
      of('begun').map(({ collection, events }) => [collection, events]),
      [[collectionOf(projection, 3), 0]],
    );
    assert.equal(
      of('dropped').map(({ collection }) => collection),
      [collectionOf(projection, 2), collectionOf(projection)],
    );
    assert.is(await models.count(collectionOf(projection, 2)), 0);
    assert.is(await sumOf(stores, projection, 'a'), 10);
  }),
);

test(
  'names the documents that differ from those that served, and where',
  withStores(async (stores) => {
    const projection = counter();
    const position = await appendNumbers(stores, 'a', 1, 2);
    await appendNumbers(stores, 'b', 3);
    await live(stores, [projection]);
    const { models } = stores.documents;
    await models.drop(collectionOf(projection));
    const wrong = {
      collection: collectionOf(projection),
      id: 'a',
      position,
      document: { sum: 4, seen: [1, 2] },
    };
    await models.commit([wrong], {}, await fenceOf(stores, 'projections'));
    const { of } = await rebuild(stores, [projection]);
    const [comparison] = of('compared');
    assert.equal(comparison?.documents, { before: 1, after: 2 });
    assert.equal(
      comparison?.differences.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
      [
        { id: 'a', pointers: ['/sum'] },
        { id: 'b', pointers: [''] },
      ],
    );
    assert.is(await sumOf(stores, projection, 'a'), 3);
  }),
);

test(
  'takes no reader back in time, also where documents are ahead of their checkpoint',
  withStores(async (stores) => {
    const projection = counter();
    await appendNumbers(stores, 'a', 1);
    await live(stores, [projection]);
    const position = await appendNumbers(stores, 'a', 2);
    const { models } = stores.documents;
    // As a runner leaves it that dies between its documents and the checkpoint.
    const ahead = {
      collection: collectionOf(projection),
      id: 'a',
      position,
      document: { sum: 3, seen: [1, 2] },
    };
    const fence = await fenceOf(stores, 'projections');
    await models.commit([ahead], {}, fence);
    await stores.documents.leases.release(fence);
    const seen: (number | undefined)[] = [];
    const stop = new AbortController();
    const reading = (async () => {
      while (!stop.signal.aborted) {
        seen.push(await sumOf(stores, projection, 'a'));
        await new Promise(setImmediate);
      }
    })();
    let appended: Promise<unknown> | null = null;
    const onEvent = ({ event }: RebuildEvent): void => {
      // What is appended while it holds both still comes to neither before the swap.
      if (event === 'holding') appended = appendNumbers(stores, 'a', 3);
    };
    await rebuild(stores, [projection], { onEvent });
    await appended;
    await live(stores, [projection]);
    stop.abort();
    await reading;
    assert.ok(seen.length > 2);
    assert.equal(
      seen,
      seen.toSorted((one = 0, other = 0) => one - other),
    );
    assert.is(await sumOf(stores, projection, 'a'), 6);
  }),
);

test(
  'of a raised version leaves the older one to serve, which is compared by number alone',
  withStores(async (stores) => {
    const one = counter();
    await appendNumbers(stores, 'a', 1, 2);
    await live(stores, [one]);
    const two: Projection = { ...one, version: 2, on: { Counted: () => ({ shape: 'new' }) } };
    const { models } = stores.documents;
    const before = await readModelStates([two], models);
    assert.equal(
      [before.live, before.outdated[0]?.collection, before.checkpoint],
      [[], collectionOf(one), null],
    );
    assert.is(await sumOf(stores, one, 'a'), 3);
    const { of } = await rebuild(stores, [two]);
    assert.equal(of('compared')[0], {
      event: 'compared',
      projection: one.name,
      documents: { before: 1, after: 1 },
      sampled: 0,
      differences: [],
    });
    assert.is(await models.alias(one.name), collectionOf(two));
    assert.equal(await models.get(one.name, 'a'), { shape: 'new' });
    assert.equal((await readModelStates([one], models)).newer.length, 1, 'the older release stands by');
    const back = await rebuild(stores, [one]);
    assert.is(back.of('begun')[0]?.collection, collectionOf(one, 2));
    assert.is(await sumOf(stores, one, 'a'), 3);
  }),
);

test(
  'of a projection that is new beside others is filled before it serves',
  withStores(async (stores) => {
    const [old, fresh] = [counter(), counter()];
    await appendNumbers(stores, 'a', 1, 2);
    await live(stores, [old]);
    const { models } = stores.documents;
    const before = await readModelStates([old, fresh], models);
    assert.equal(
      [before.live, before.outdated].map((some) => some.map(({ projection }) => projection.name)),
      [[old.name], [fresh.name]],
    );
    const { of } = await rebuild(stores, [fresh]);
    assert.equal(of('compared')[0]?.documents, { before: null, after: 1 });
    assert.is(await sumOf(stores, fresh, 'a'), 3);
    assert.is((await readModelStates([old, fresh], models)).live.length, 2);
  }),
);

test(
  'goes on where somebody died between the swap and its book',
  withStores(async (stores) => {
    const projection = counter();
    const { models, tables } = stores.documents;
    await appendNumbers(stores, 'a', 1, 2);
    await live(stores, [projection]);
    // Retired, but not pointed elsewhere yet.
    await retire(tables, projection.name, collectionOf(projection));
    const stop = new AbortController();
    await rebuild(stores, [projection], { signal: stop.signal, onEvent: () => stop.abort() });
    assert.is(await sumOf(stores, projection, 'a'), 3);
    // Pointed elsewhere, but the book says that it is still being filled.
    const { filling } = await readRecord(tables, projection.name);
    const { isDone } = await rebuild(stores, [projection]);
    assert.ok(isDone);
    await tables.replace(
      'rebuilds',
      projection.name,
      (await tables.read('rebuilds', projection.name))?.version ?? 0,
      { generations: { 1: 2 }, filling, retired: [] },
    );
    const { of } = await rebuild(stores, [projection]);
    assert.is(of('begun')[0]?.collection, collectionOf(projection, 3));
    assert.is(await models.alias(projection.name), collectionOf(projection, 3));
    assert.is(await sumOf(stores, projection, 'a'), 3);
  }),
);

test(
  'happens once at a time',
  withStores(async (stores) => {
    await fenceOf(stores, 'rebuild');
    assert.is((await failure(rebuild(stores, [counter()]))).name, 'RebuildInProgress');
  }),
);

test(
  'ends with LeaseLost when another process has taken over, and swaps nothing',
  withStores(async (stores) => {
    const projection = counter();
    await appendNumbers(stores, 'a', 1, 2, 3, 4);
    await live(stores, [projection]);
    const lost = rebuild(stores, [projection], {
      onEvent: ({ event }) => {
        if (event === 'progress') void stores.documents.leases.take('rebuild', 'another', 60_000);
      },
    });
    assert.is((await failure(lost)).name, 'LeaseLost');
    assert.is(await stores.documents.models.alias(projection.name), collectionOf(projection));
  }),
);

test(
  'quarantines in the new collection alone; a retry after a fix folds the remaining events in order',
  withStores(async (stores) => {
    let poison = [2];
    const projection = counter(() => poison);
    await appendNumbers(stores, 'a', 1, 2, 3);
    await appendNumbers(stores, 'b', 4);
    await live(stores, [projection]);
    await appendNumbers(stores, 'a', 5);
    await appendNumbers(stores, 'c', 6, 2);
    await live(stores, [projection]);
    const held = async () => {
      const [status] = await projectionStatus({ ...stores, projections: [projection] });
      return status?.quarantined.documents.map(({ key, error }) => [key, error]);
    };
    const both = [
      ['a', "Error: can't count 2"],
      ['c', "Error: can't count 2"],
    ];
    assert.equal(await held(), both);
    const { of } = await rebuild(stores, [projection]);
    assert.equal(
      of('quarantined')
        .map(({ key }) => key)
        .toSorted(),
      ['a', 'c'],
    );
    assert.equal(await held(), both, 'those of the dropped collection are forgotten');
    assert.is((await stores.documents.tables.list(QUARANTINE)).length, 2);
    poison = [5];
    const { log, documents } = stores;
    const { signal } = new AbortController();
    const options = { log, documents, owner: 'retry', signal, page: 2, patienceMs: 0 };
    const first = await runRetry(options, projection);
    assert.is(first?.released, 1);
    assert.equal(
      first?.held.map(({ key, error }) => [key, error]),
      [['a', "Error: can't count 5"]],
    );
    await appendNumbers(stores, 'a', 7);
    await live(stores, [projection]);
    assert.equal([await sumOf(stores, projection, 'a'), await sumOf(stores, projection, 'c')], [6, 8]);
    poison = [];
    assert.equal(await runRetry(options, projection), { released: 1, held: [] });
    assert.equal(await runRetry(options, projection), { released: 0, held: [] });
    await appendNumbers(stores, 'a', 8);
    await live(stores, [projection]);
    assert.is(await sumOf(stores, projection, 'a'), 26);
    assert.is(await sumOf(stores, projection, 'b'), 4);
  }),
);

test(
  'a retry of one document leaves the others where they are; one of what is not served is refused',
  withStores(async (stores) => {
    const projection = counter(() => poison);
    let poison = [1, 2];
    const { log, documents } = stores;
    const { signal } = new AbortController();
    const options = { log, documents, owner: 'retry', signal, page: 2, patienceMs: 0 };
    assert.is((await failure(runRetry(options, projection))).name, 'NotLive');
    await appendNumbers(stores, 'a', 1);
    await appendNumbers(stores, 'b', 2);
    await live(stores, [projection]);
    poison = [];
    assert.equal(await runRetry(options, projection, 'c'), { released: 0, held: [] });
    assert.equal(await runRetry(options, projection, 'b'), { released: 1, held: [] });
    const left = await quarantinedPage(documents.tables, projection.name, 10, null);
    assert.equal(
      left.items.map(({ key }) => key),
      ['a'],
    );
    assert.is(await sumOf(stores, projection, 'b'), 2);
  }),
);

test(
  'parks what it passes without knowing it, so that a later release comes back for it',
  withStores(async (stores) => {
    const projection = counter();
    await appendNumbers(stores, 'a', 1);
    const knowing = stores.log;
    const log: Stores['log'] = {
      ...knowing,
      async *follow(after, options) {
        for await (const page of knowing.follow(after, options))
          yield { ...page, events: [], unknown: page.events };
      },
    };
    await rebuild({ ...stores, log }, [projection]);
    assert.equal(
      (await parkedEvents(stores.documents.tables)).map(({ type }) => type),
      ['Counted'],
    );
  }),
);

test(
  'that is unfinished and has quarantined documents starts anew',
  withStores(async (stores) => {
    let poison = [2];
    const projection = counter(() => poison);
    await appendNumbers(stores, 'a', 1, 2, 3, 4, 5, 6);
    const stop = new AbortController();
    const onEvent = ({ event }: RebuildEvent): void => {
      if (event === 'progress') stop.abort();
    };
    const cut = await rebuild(stores, [projection], { signal: stop.signal, onEvent });
    assert.is(cut.isDone, false);
    poison = [];
    const { of } = await rebuild(stores, [projection]);
    assert.equal(
      of('begun').map(({ collection, events }) => [collection, events]),
      [[collectionOf(projection, 2), 0]],
    );
    assert.is(await sumOf(stores, projection, 'a'), 21);
    assert.equal(await stores.documents.tables.list(QUARANTINE), []);
  }),
);

test(
  'that has stalled while another one began ends, and leaves the other one its book',
  withStores(async (stores) => {
    const projection = counter();
    await appendNumbers(stores, 'a', 1, 2, 3, 4);
    const { models } = stores.documents;
    let stalls = true;
    const commit: typeof models.commit = async (writes, checkpoints, fence) => {
      await models.commit(writes, checkpoints, fence);
      if (!stalls) return;
      stalls = false;
      stores.pass(20_000);
      await rebuild(stores, [projection], { anew: true });
    };
    const documents = { ...stores.documents, models: { ...models, commit } };
    assert.is((await failure(rebuild({ ...stores, documents }, [projection]))).name, 'LeaseLost');
    assert.is((await readRecord(stores.documents.tables, projection.name)).filling, null);
    assert.is(await models.alias(projection.name), collectionOf(projection, 2));
    assert.is(await sumOf(stores, projection, 'a'), 10);
  }),
);
