import * as assert from 'uvu/assert';
import { addressOf } from '../../../../stores/events/eventstoredb/address.ts';
import { eventStoreDb } from '../../../../stores/events/eventstoredb.ts';
import type { EventStore } from '../../../../stores/events/port.ts';
import { collect, newCategory, numbered, storedEvent } from '../../../contract/events/controls.ts';
import { eventually } from '../../../harness.ts';
import { startTcpProxy, type TcpProxy } from '../../../support/tcpProxy.ts';
import { followInBackground, numbersOf, upTo } from '../stage.ts';
import { type Place, serverSuite } from './server.ts';

/** Why no proxy can stand before a server; null when one can. */
export const unproxied = (connectionString: string): string | null => {
  const { cluster, tls } = addressOf(connectionString);
  return cluster || tls ? 'a proxy takes a connection string with one host and tls=false' : null;
};

/** Connections that break, to any server that a proxy can stand before. */
export const breaksOn = (where: string, place: () => Promise<Place>): void => {
  const { test, opened } = serverSuite(`EventStoreDB driver, ${where}: connections that break`, place);

  /** A store that reaches the server through a proxy. */
  const throughProxy = async (body: (store: EventStore, proxy: TcpProxy) => Promise<void>): Promise<void> => {
    const { connectionString } = opened();
    const [seed] = addressOf(connectionString).seeds;
    if (!seed) throw new Error('the connection string names a host');
    const proxy = await startTcpProxy({ host: seed.host, port: seed.port });
    const store = eventStoreDb({ connectionString: `kurrentdb://${proxy.address}?tls=false` });
    await body(store, proxy);
    await store.close();
    await proxy.close();
  };

  test('while a follower catches up and while it waits: nothing is lost or doubled', () =>
    throughProxy(async (store, proxy) => {
      const category = newCategory();
      await opened().store.append(`${category}1`, 'none', numbered(600));
      const following = followInBackground(store, category, 7);
      for (let n = 0; n < 5; n += 1) {
        const seen = following.events.length;
        await eventually('some more', () => following.events.length > Math.min(seen, 590));
        proxy.cut();
      }
      await eventually('all events', () => following.isLive() && following.events.length >= 600);
      proxy.cut();
      await store.append(`${category}1`, 599, numbered(1, 600));
      await eventually('the last', () => following.events.length > 600);
      await following.stop();
      assert.equal(numbersOf(following.events), upTo(601));
    }));

  test('under many large appends, after having stood still: each has one outcome, and the process goes on', () =>
    throughProxy(async (store, proxy) => {
      const category = newCategory();
      const unhandled: unknown[] = [];
      const note = (reason: unknown): void => void unhandled.push(reason);
      process.on('unhandledRejection', note);
      await store.append(`${category}first`, 'none', numbered(1));
      proxy.stall();
      const large = 'x'.repeat(100_000);
      const appending = Promise.allSettled(
        upTo(150).map((n) => store.append(`${category}${n}`, 'none', [storedEvent({ n, large })])),
      );
      await new Promise((resolve) => setTimeout(resolve, 200));
      await proxy.refuse();
      await proxy.normal();
      const outcomes = await appending;
      await new Promise((resolve) => setTimeout(resolve, 50));
      process.removeListener('unhandledRejection', note);
      assert.equal(unhandled, []);
      for (const [n, { status }] of outcomes.entries()) {
        const there = (await collect(opened().store.read(`${category}${n}`))).length;
        assert.ok(status === 'fulfilled' ? there === 1 : there <= 1);
      }
      assert.ok(outcomes.some(({ status }) => status === 'fulfilled'));
    }));
};
