import * as assert from 'uvu/assert';
import type { Position } from '../../../kernel/event.ts';
import { supervise } from '../../../kernel/supervise.ts';
import { projectLive } from '../../../projections/engine/live.ts';
import { park, parkedEvents } from '../../../projections/engine/parked.ts';
import { createProgress } from '../../../projections/engine/progress.ts';
import type { Projection } from '../../../projections/engine/projection.ts';
import { collectionOf, liveCheckpoint } from '../../../projections/engine/readModels.ts';
import { runRebuild } from '../../../projections/engine/rebuild/leased.ts';
import { rebuildOutdated } from '../../../projections/engine/rebuild/outdated.ts';
import type { RebuildEvent } from '../../../projections/engine/rebuild/rebuild.ts';
import { noRecorder } from '../../../telemetry/recorder.ts';
import { appendNumbers } from '../../controls/numbers.ts';
import { keptReport, type Stores, withStores } from '../../controls/stores.ts';
import { eventually, suite } from '../../harness.ts';
import { counter } from '../counter.ts';

const test = suite('a rebuild beside running read models');

/** A node that makes read models, as a server does, until `stop`. */
const startNode = (
  stores: Stores,
  projections: readonly Projection[],
  owner = 'node',
  known: readonly string[] = [],
) => {
  const stopped = new AbortController();
  const { signal } = stopped;
  const kept = keptReport();
  const progress = createProgress(() => liveCheckpoint(projections, stores.documents.models));
  const ports = { ...stores, projections, progress, recorder: noRecorder, owner, report: kept.report };
  const catalogue = async () => ({ canRead: (type: string) => known.includes(type) });
  const running = [
    supervise('projections', (held) => projectLive(ports, held), signal, kept.report),
    supervise('rebuild', (held) => rebuildOutdated({ ...ports, catalogue }, held, 0), signal, kept.report),
  ];
  const shows = async (position: Position): Promise<void> =>
    assert.ok(await progress.reached(position, 10_000), JSON.stringify(kept.lines));
  const stop = async (): Promise<void> => {
    stopped.abort();
    await Promise.all(running);
  };
  return { ...kept, shows, stop };
};

const sumOf = async ({ documents }: Stores, { name }: Projection, key: string) =>
  (await documents.models.get<{ sum: number }>(name, key))?.sum;

test(
  'runs under load: new events become visible, no reader goes back, nothing is lost',
  withStores(async (stores) => {
    const projections = [counter(), counter()];
    const node = startNode(stores, projections);
    let sum = 0;
    let n = 0;
    const append = async (): Promise<Position> => {
      n += 1;
      sum += n;
      return appendNumbers(stores, 'a', n);
    };
    await node.shows(await append());
    const seen: number[] = [];
    const stop = new AbortController();
    const load = (async () => {
      while (!stop.signal.aborted) {
        await append();
        for (const projection of projections) seen.push((await sumOf(stores, projection, 'a')) ?? -1);
      }
    })();
    await eventually('some load', () => n > 50);
    const { log, documents } = stores;
    const { signal } = new AbortController();
    const told: RebuildEvent[] = [];
    const onEvent = (event: RebuildEvent): void => void told.push(event);
    const options = {
      log,
      documents,
      owner: 'command',
      signal,
      page: 10,
      patienceMs: 0,
      graceMs: 0,
      onEvent,
    };
    assert.ok(await runRebuild(options, projections));
    const atSwap = n;
    await eventually('load behind the swap', () => n > atSwap + 20);
    stop.abort();
    await load;
    await node.shows(await append());
    for (const projection of projections) {
      assert.is(await sumOf(stores, projection, 'a'), sum);
      assert.is(await documents.models.alias(projection.name), collectionOf(projection, 2));
    }
    const differences = told.flatMap((one) => (one.event === 'compared' ? one.differences : []));
    assert.equal(differences, []);
    for (const first of [0, 1]) {
      const own = seen.filter((_, index) => index % 2 === first);
      assert.equal(
        own,
        own.toSorted((one, other) => one - other),
      );
    }
    await node.stop();
  }),
);

test(
  'of a raised version starts by itself at the next start, while the older one serves',
  withStores(async (stores) => {
    const [one, other] = [counter(), counter()];
    const first = startNode(stores, [one, other]);
    await first.shows(await appendNumbers(stores, 'a', 1, 2));
    await first.stop();
    const on: Projection['on'] = { Counted: (_, { position }) => ({ upTo: position }) };
    const raised: Projection = { ...one, version: 2, on };
    const fresh = counter();
    const second = startNode(stores, [raised, other, fresh]);
    const { models } = stores.documents;
    await eventually('both serve', async () => {
      const serving = await models.aliases([one.name, fresh.name]);
      return serving[0] === collectionOf(raised) && serving[1] === collectionOf(fresh);
    });
    await second.shows(await appendNumbers(stores, 'a', 3));
    assert.equal(await models.get(one.name, 'a'), { upTo: await stores.log.head() });
    assert.equal([await sumOf(stores, other, 'a'), await sumOf(stores, fresh, 'a')], [6, 6]);
    assert.ok(second.lines.some(({ message }) => message.includes('serves')));
    await second.stop();

    const older = startNode(stores, [one, other], 'older');
    await eventually('it says why', () =>
      older.lines.some(({ facts }) =>
        String((facts as { err?: Error }).err?.message).includes('newer release'),
      ),
    );
    await older.stop();
    assert.is(await models.alias(one.name), collectionOf(raised), 'an older release leaves it alone');
  }),
);

test(
  'starts by itself for a read model that lacks parked events, once a release knows them',
  withStores(async (stores) => {
    const [one, other] = [counter(), { ...counter(), prefixes: ['else-'] }];
    const node = startNode(stores, [one, other]);
    const position = await appendNumbers(stores, 'a', 1, 2);
    await node.shows(position);
    await node.stop();
    const { events } = await stores.log.load('count-a');
    const { models, tables } = stores.documents;
    await park(tables, events);
    const unknowing = startNode(stores, [one, other]);
    await unknowing.shows(await appendNumbers(stores, 'a', 3));
    await unknowing.stop();
    assert.is(await models.alias(one.name), collectionOf(one));
    assert.is((await parkedEvents(tables)).length, 2);
    const knowing = startNode(stores, [one, other], 'node', ['Counted']);
    await eventually('it is forgotten', async () => (await parkedEvents(tables)).length === 0);
    assert.equal(await models.aliases([one.name, other.name]), [collectionOf(one, 2), collectionOf(other)]);
    assert.is(await sumOf(stores, one, 'a'), 6);
    await knowing.stop();
  }),
);
