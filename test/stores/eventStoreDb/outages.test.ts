import * as assert from 'uvu/assert';
import { eventStoreDb } from '../../../stores/events/eventstoredb.ts';
import { collect, failure, newCategory, numbered } from '../../contract/events/controls.ts';
import { eventually, rounds, suite, tookAtMost } from '../../harness.ts';
import { createLog } from '../../standIn/log.ts';
import { type StandIn, startStandIn } from '../../standIn/standIn.ts';
import { followInBackground, openStage, upTo } from './stage.ts';

const test = suite('EventStoreDB driver: outages and leaders');

const OUTAGE_MS = rounds(3_500, 60_000);

test(
  'after an outage followers and appends continue within five seconds; during it few connections are tried',
  async () => {
    const stage = await openStage();
    const category = newCategory();
    const following = Array.from({ length: 3 }, () => followInBackground(stage.store, category));
    await stage.store.append(`${category}1`, 'none', numbered(1));
    await eventually('all are live', () => following.every(({ events }) => events.length === 1));
    await stage.standIn.stop();
    const { made } = stage.proxy.connections();
    await new Promise((resolve) => setTimeout(resolve, OUTAGE_MS));
    const tries = stage.proxy.connections().made - made;
    assert.ok(tries > 0 && tries < OUTAGE_MS / 10, `${tries} connections were tried`);
    await stage.standIn.start();
    const back = performance.now();
    const append = () => stage.store.append(`${category}1`, 0, numbered(1, 1));
    await eventually('an append', () => append().catch(() => null), 5_000);
    await eventually('all followers', () => following.every(({ events }) => events.length === 2), 5_000);
    tookAtMost(5_000, performance.now() - back);
    assert.ok(
      following.every(({ restarts }) => restarts() > 0),
      'each reported the outage to its caller',
    );
    await Promise.all(following.map(({ stop }) => stop()));
    await stage.close();
  },
  { timeoutMs: 60_000 + OUTAGE_MS },
);

/** Nodes that share a log, of which the first leads. */
const openCluster = async (): Promise<
  Readonly<{ nodes: readonly StandIn[]; lead(leader: StandIn): void }>
> => {
  const log = createLog();
  const nodes = await Promise.all(Array.from({ length: 3 }, () => startStandIn({ log })));
  const lead = (leader: StandIn): void => {
    for (const node of nodes)
      node.faults.leader = node === leader ? null : { host: '127.0.0.1', port: leader.port };
  };
  return { nodes, lead };
};

test('a cluster: the leader is found by any node, followed when it changes, and searched for when it dies', async () => {
  const { nodes, lead } = await openCluster();
  const [one, two, three] = nodes;
  if (!one || !two || !three) throw new Error('there are three nodes');
  lead(one);
  const seeds = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const store = eventStoreDb({ connectionString: `esdb://${seeds}?tls=false`, answerMs: 500 });
  const category = newCategory();
  const following = followInBackground(store, category);
  const appendFrom = async (first: number): Promise<void> => {
    for (let n = first; n < first + 10; n += 1)
      await store.append(`${category}1`, n === 0 ? 'none' : n - 1, numbered(1, n));
  };
  await appendFrom(0);
  assert.equal(
    nodes.map(({ tally }) => tally.appends > 0),
    [true, false, false],
  );
  await eventually('the follower', () => following.isLive() && one.calls().subscriptions === 1);
  lead(two);
  await appendFrom(10);
  assert.ok(two.tally.appends >= 10);
  const moved = (): boolean => two.calls().subscriptions === 1 && one.calls().subscriptions === 0;
  await eventually('the follower’s move', moved, 4_000);
  lead(three);
  await two.stop();
  await appendFrom(20);
  await eventually('all events', () => following.events.length >= 30);
  assert.equal(
    following.events.map(({ data }) => data.n),
    upTo(30),
  );
  await following.stop();
  await store.close();
  await Promise.all(nodes.map(({ stop }) => stop()));
});

/** More than a test may take: what waits for an answer of a frozen node fails it. */
const PATIENT_MS = 600_000;

const storeOf = (nodes: readonly StandIn[], answerMs: number) =>
  eventStoreDb({
    connectionString: `esdb://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}?tls=false`,
    answerMs,
  });

test('a leader that is frozen and replaced is left once most of the others name another one [operations-2]', async () => {
  const { nodes, lead } = await openCluster();
  const [one, two, three] = nodes;
  if (!one || !two || !three) throw new Error('there are three nodes');
  lead(one);
  const store = storeOf(nodes, PATIENT_MS);
  const stream = `${newCategory()}1`;
  await store.append(stream, 'none', numbered(1));
  one.faults.stalled = true;
  const appending = store.append(stream, 0, numbered(1, 1));
  const opening = storeOf(nodes, PATIENT_MS);
  const reading = collect(opening.read(stream));
  lead(two);
  await appending;
  assert.ok((await reading).length > 0);
  assert.ok(two.tally.appends > 0);
  await Promise.all([store.close(), opening.close()]);
  await Promise.all(nodes.map(({ stop }) => stop()));
});

test('a replaced leader that wakes and names itself is not believed [operations-2]', async () => {
  const { nodes, lead } = await openCluster();
  const [one, two] = nodes;
  if (!one || !two) throw new Error('there are nodes');
  lead(two);
  one.faults.leader = null;
  for (let round = 0; round < 20; round += 1) {
    const store = storeOf(nodes, 500);
    await store.append(`${newCategory()}1`, 'none', numbered(1));
    await store.close();
  }
  assert.equal([one.tally.appends, two.tally.appends > 0], [0, true]);
  const store = storeOf([one, two], 500);
  const { name, message } = await failure(collect(store.read('a')));
  assert.equal([name, /name different leaders/.test(message)], ['StoreUnavailable', true]);
  await store.close();
  await Promise.all(nodes.map(({ stop }) => stop()));
});

test('a single node that does not lead names the one that does; with no leader at all it is StoreUnavailable', async () => {
  const { nodes, lead } = await openCluster();
  const [one, two] = nodes;
  if (!one || !two) throw new Error('there are nodes');
  lead(two);
  const store = eventStoreDb({ connectionString: one.connectionString, answerMs: 500 });
  await store.append(`${newCategory()}1`, 'none', numbered(1));
  assert.ok(two.tally.appends > 0 && one.tally.appends === 0);
  await two.stop();
  const error = await collect(store.read('a')).catch((reason: Error) => reason);
  assert.is((error as Error).name, 'StoreUnavailable');
  await store.close();
  await Promise.all(nodes.map(({ stop }) => stop()));
});
