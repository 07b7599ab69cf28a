import dns from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { eventStoreDb } from '../../../stores/events/eventstoredb.ts';
import { collect, failure, newCategory, numbered } from '../../contract/events/controls.ts';
import { eventually, suite } from '../../harness.ts';
import { startStandIn } from '../../standIn/standIn.ts';
import { listenSilently, openBlackHole } from '../../support/silent.ts';

const test = suite('EventStoreDB driver: nodes that never answer [operations-1]');

for (const [how, options] of [
  ['in clear', 'tls=false'],
  ['over TLS', 'tlsVerifyCert=false'],
] as const)
  test(`no connection that is being made ${how} outlives its try, nor the store`, async () => {
    const silent = await listenSilently();
    const store = eventStoreDb({
      connectionString: `esdb://127.0.0.1:${silent.port}?${options}`,
      answerMs: 100,
    });
    assert.is((await failure(collect(store.read('a')))).name, 'StoreUnavailable');
    assert.ok(silent.made() >= 3);
    await eventually('the last one is dropped', () => silent.open() === 0, 2_000);
    const pending = failure(collect(store.read('a')));
    await eventually('one more', () => silent.open() === 1);
    await store.close();
    await eventually('it goes with the store', () => silent.open() === 0, 2_000);
    await pending;
    await silent.close();
  });

test('a silent node among others delays no call, and no connection to it stays open', async () => {
  const [standIn, silent] = [await startStandIn(), await listenSilently()];
  const nodes = `127.0.0.1:${silent.port},127.0.0.1:${standIn.port},localhost:${standIn.port}`;
  for (let round = 0; round < 5; round += 1) {
    const store = eventStoreDb({ connectionString: `esdb://${nodes}?tls=false` });
    await store.append(`${newCategory()}1`, 'none', numbered(1));
    await store.close();
  }
  await eventually('all are dropped', () => silent.open() === 0, 2_000);
  assert.ok(silent.made() > 0);
  await Promise.all([standIn.stop(), silent.close()]);
});

test('of the addresses of one name that finds the nodes, a silent one is passed over', async () => {
  const standIn = await startStandIn();
  const silent = await listenSilently('127.0.0.2', standIn.port);
  const { lookup } = dns;
  const found = ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 }));
  Object.assign(dns, { lookup: async () => found });
  const connectionString = `esdb+discover://nodes.example:${standIn.port}?tls=false&gossipTimeout=600`;
  const store = eventStoreDb({ connectionString });
  try {
    // Before gossip is given up: that is after this test.
    await store.append(`${newCategory()}1`, 'none', numbered(1));
    assert.ok(silent.made() > 0);
  } finally {
    Object.assign(dns, { lookup });
    await store.close();
    await Promise.all([standIn.stop(), silent.close()]);
  }
});

test('connections into a black hole are dropped', async () => {
  const hole = await openBlackHole();
  try {
    const before = connectingTo(hole.port);
    const store = eventStoreDb({ connectionString: `esdb://127.0.0.1:${hole.port}`, answerMs: 200 });
    const { name, message } = await failure(collect(store.read('a')));
    assert.equal([name, message.includes(`127.0.0.1:${hole.port}`)], ['StoreUnavailable', true]);
    await eventually('they are dropped', () => connectingTo(hole.port) === before, 2_000);
    await store.close();
  } finally {
    await hole.close();
  }
});

/** How many connections to a port of this machine wait for an answer to their first packet. */
const connectingTo = (port: number): number =>
  readFileSync('/proc/self/net/tcp', 'utf8')
    .split('\n')
    .filter((line) =>
      new RegExp(`: \\w+:\\w+ \\w+:${port.toString(16).toUpperCase().padStart(4, '0')} 02 `).test(line),
    ).length;
