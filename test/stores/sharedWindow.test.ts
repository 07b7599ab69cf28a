import * as assert from 'uvu/assert';
import { sharedWindow } from '../../stores/sharedWindow.ts';
import { type Stores, withStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('shared windows');

/** The count as one of several nodes has it. */
const node = ({ documents: { tables }, clock }: Stores) =>
  sharedWindow({ tables, clock, table: 'counts', lengthMs: 60_000, limit: 3 });

test(
  'all nodes count in one window, each name in its own, and count anew in the next [webhook-tests-6]',
  withStores(async (stores) => {
    const [one, two] = [node(stores), node(stores)];
    assert.equal(await one('a'), { count: 1, remainingMs: 60_000 });
    stores.pass(20_000);
    assert.equal(await two('a'), { count: 2, remainingMs: 40_000 });
    assert.equal(await two('b'), { count: 1, remainingMs: 60_000 });
    stores.pass(40_000);
    assert.equal(await one('a'), { count: 1, remainingMs: 60_000 });
  }),
);

test(
  'of many at once each is counted, and beyond the limit nothing is written',
  withStores(async (stores) => {
    const nodes = [node(stores), node(stores), node(stores)];
    const counts = await Promise.all(nodes.map((count) => count('a')));
    assert.equal(counts.map(({ count }) => count).sort(), [1, 2, 3]);
    const beyond = await Promise.all(nodes.map((count) => count('a')));
    assert.ok(beyond.every(({ count }) => count === 4));
    const version = async () => (await stores.documents.tables.read('counts', 'a'))?.version;
    assert.is(await version(), 4);
  }),
);
