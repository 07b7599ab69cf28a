import * as assert from 'uvu/assert';
import { NOT_MEASURED } from '../../telemetry/figures.ts';
import { createNodes, type NodeRow, nodeState, someNodeRuns } from '../../telemetry/nodes.ts';
import { type Stores, withStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('the processes of the service [operations-19]');

const nodeOf = ({ documents: { tables }, clock }: Stores, node: string) => {
  const now = () => clock.now().toISOString();
  const startedAt = now();
  const own = async (): Promise<NodeRow> => ({
    ...{ node, roles: ['api'], version: '1.0.0', startedAt, seenAt: now(), stoppedAt: null },
    ...{ minutes: [], parts: [], outages: [] },
  });
  return createNodes({ tables, clock, own });
};

test(
  'each shows all of them, itself as it is now, newest first',
  withStores(async (stores) => {
    const { clock, pass } = stores;
    const someRuns = () => someNodeRuns(stores.documents.tables, clock.now());
    assert.not(await someRuns());
    const one = nodeOf(stores, 'one');
    await one.beat(NOT_MEASURED);
    pass(1_000);
    const two = nodeOf(stores, 'two');
    await two.beat(NOT_MEASURED);
    const seen = async (by: typeof one) =>
      (await by.all()).map((row) => [row.node, nodeState(row, clock.now())].join());
    assert.equal(await seen(one), ['two,running', 'one,running']);
    pass(30_000);
    assert.equal(await seen(one), ['two,running', 'one,running'], 'after three beats that were missed');
    pass(1);
    assert.equal(await seen(one), ['two,silent', 'one,running']);
    assert.equal(await seen(two), ['two,running', 'one,silent']);
    await two.beat(NOT_MEASURED);
    await one.stop();
    assert.equal(await seen(two), ['two,running', 'one,stopped']);
    assert.ok(await someRuns());
    pass(30_001);
    assert.not(await someRuns(), 'one has stopped, and the other is silent');
  }),
);

test(
  'one that has not been seen for an hour is forgotten, and one from the future',
  withStores(async (stores) => {
    const { pass } = stores;
    pass(3 * 3_600_000);
    await nodeOf(stores, 'from the future').beat(NOT_MEASURED);
    pass(-3 * 3_600_000);
    await nodeOf(stores, 'old').stop();
    pass(3_600_001);
    await nodeOf(stores, 'recent').stop();
    pass(1_000);
    const one = nodeOf(stores, 'one');
    const names = async () => (await one.all()).map(({ node }) => node);
    assert.is((await names()).length, 4);
    await one.beat(NOT_MEASURED);
    assert.equal(await names(), ['one', 'recent']);
  }),
);
