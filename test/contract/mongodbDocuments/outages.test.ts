import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../../kernel/errors.ts';
import { mongoDocumentStore } from '../../../stores/documents/mongodb.ts';
import type { DocumentStore } from '../../../stores/documents/port.ts';
import { eventually, suite, tookAtMost } from '../../harness.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';
import { failure, fence, fresh, position, put, write } from '../documents/stage.ts';
import { hostOf, onServer, ownDatabase, through } from './server.ts';

const NAME = 'documents in MongoDB: outages and clocks';

onServer(NAME, () => {
  const test = suite(NAME);

  const withProxy = async (body: (store: DocumentStore, proxy: TcpProxy) => Promise<void>): Promise<void> => {
    const database = await ownDatabase();
    const proxy = await startTcpProxy(hostOf(database.url));
    const store = mongoDocumentStore({ url: through(proxy.address, database.url) });
    try {
      await body(store, proxy);
    } finally {
      await proxy.normal();
      await store.close();
      await proxy.close();
      await database.end();
    }
  };
  const healed = async (store: DocumentStore): Promise<number> => {
    const start = performance.now();
    await eventually('the store answers again', () =>
      store.tables.read('t', 'k').then(
        () => true,
        (error: unknown) => {
          assert.instance(error, StoreUnavailable);
          return false;
        },
      ),
    );
    return performance.now() - start;
  };

  for (const fault of ['refuse', 'stall'] as const)
    test(
      `a server that ${fault === 'refuse' ? 'is gone' : 'is silent'} is told of within seconds, and found again within five`,
      async () =>
        withProxy(async (store, proxy) => {
          const name = fresh('away');
          const held = await fence(store);
          await put(store, name, { x: { id: 'x', lane: 'a', dueAt: '2020' } });
          await proxy[fault]();
          const query = {
            where: {},
            sort: [{ path: 'id', direction: 'ascending' }],
            limit: 1,
            after: null,
          } as const;
          const claim = { collection: name, owner: 'w', leaseMs: 1_000, limit: 1, perLane: 1, skip: [] };
          const start = performance.now();
          const attempts: readonly Promise<unknown>[] = [
            store.models.get(name, 'x'),
            store.models.page(name, query),
            store.models.count(name),
            store.models.checkpoint(name),
            store.tables.insert(name, 'k', {}),
            store.tables.read(name, 'k'),
            store.leases.acquire(name, 'o', 1_000),
            store.leases.renew(held, 1_000),
          ];
          for (const error of await Promise.all(attempts.map(failure)))
            assert.instance(error, StoreUnavailable);
          tookAtMost(5_000, performance.now() - start);
          const patient = [
            store.models.commit([write(name, 'x', 2, {})], { [name]: position(2) }, held),
            store.leases.claim(claim),
          ];
          for (const error of await Promise.all(patient.map((attempt) => failure(attempt))))
            assert.instance(error, StoreUnavailable);
          tookAtMost(16_000, performance.now() - start);
          await proxy.normal();
          tookAtMost(5_000, await healed(store));
          await store.models.commit([write(name, 'x', 3, { v: 3 })], { [name]: position(3) }, held);
          assert.equal(await store.models.get(name, 'x'), { v: 3 });
        }),
      { timeoutMs: 60_000 },
    );

  test('a connection that breaks in the middle is replaced, and no answer goes to another request', async () =>
    withProxy(async (store, proxy) => {
      const name = fresh('broken');
      for (let n = 0; n < 20; n += 1) await store.tables.insert(name, `k${n}`, { n });
      for (let round = 0; round < 10; round += 1) {
        const reads = Array.from({ length: 20 }, (_, n) =>
          store.tables.read<{ n: number }>(name, `k${n}`).then(
            (found) => assert.is(found?.row.n, n),
            (error: unknown) => assert.instance(error, StoreUnavailable),
          ),
        );
        if (round % 2) proxy.cut();
        await Promise.all(reads);
      }
      assert.equal(await store.tables.read(name, 'k7'), { row: { n: 7 }, version: 1 });
    }));

  test('the clock of a node does not matter: leases and claims go by the server’s', async () => {
    const database = await ownDatabase();
    const [right, wrong] = [database.open(), database.open()];
    const now = Date.now;
    try {
      const name = fresh('clocks');
      const at = (hours: number): string => new Date(now() + hours * 3_600_000).toISOString();
      await put(right, name, {
        hourAgo: { lane: 'a', dueAt: at(-1) },
        hourAhead: { lane: 'a', dueAt: at(1) },
      });
      const held = await right.leases.acquire(name, 'a', 60_000);
      if (!held) throw new Error('a new lease was refused');
      const terms = { collection: name, owner: 'w', leaseMs: 60_000, limit: 5, perLane: 5, skip: [] };
      for (const [hours, ids] of [
        [-2, ['hourAgo']],
        [2, []],
      ] as const) {
        await wrong.leases.acquire(fresh('clock'), 'w', 1); // it has read the server's clock when its own is moved
        Date.now = () => now() + hours * 3_600_000;
        assert.is(await wrong.leases.acquire(name, 'b', 60_000), null);
        assert.is(await wrong.leases.renew(held, 60_000), true);
        assert.equal(
          (await wrong.leases.claim(terms)).map(({ id }) => id),
          ids,
        );
        await wrong.models.commit([], { [name]: position(3 + hours) }, held);
      }
    } finally {
      Date.now = now;
      await right.close();
      await wrong.close();
      await database.end();
    }
  });
});
