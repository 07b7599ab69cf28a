import { Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../../kernel/errors.ts';
import { mongoDocumentStore } from '../../../stores/documents/mongodb.ts';
import { eventually, suite } from '../../harness.ts';
import { startTcpProxy } from '../../support/tcpProxy.ts';
import { primary, standIn } from './standIn.ts';

const test = suite('documents in MongoDB: looks for the server');

/** Breaks the connection that the client's next look for its server takes, just before that is written. */
const breakNextLook = (port: number): Promise<void> =>
  new Promise((resolve) => {
    const { write } = Socket.prototype;
    Socket.prototype.write = function (this: Socket, ...given: Parameters<typeof write>) {
      const [data] = given;
      // Neither the first message of a connection nor an operation of ours.
      const isLook =
        Buffer.isBuffer(data) && data.includes('hello') && !/client|lsid/.test(data.toString('latin1'));
      if (isLook && this.remotePort === port) {
        Socket.prototype.write = write;
        this.destroy();
        resolve();
      }
      return write.apply(this, given);
    } as typeof write;
  });

test('one that never ends is not the last one: a server that comes back is found', async () => {
  const server = await standIn(
    (address) => (command) => (/hello|ismaster/i.test(command) ? primary(address) : { ok: 1, n: 0 }),
  );
  const proxy = await startTcpProxy({ port: Number(server.address.split(':')[1]) });
  const store = mongoDocumentStore({ url: `mongodb://${proxy.address}/intake?directConnection=true` });
  const isThere = (): Promise<boolean> =>
    store.tables.remove('rows', 'k', 1).then(
      () => true,
      (error: Error) => {
        assert.instance(error, StoreUnavailable, error.stack);
        return false;
      },
    );
  try {
    assert.ok(await isThere());
    await breakNextLook(proxy.port);
    // An operation under way finds that the server is gone.
    proxy.stall();
    const underWay = isThere();
    await eventually('it is under way', () => proxy.connections().open > 0);
    await proxy.refuse();
    assert.not.ok(await underWay);
    await proxy.normal();
    await eventually('it is found', isThere, 10_000);
  } finally {
    await store.close();
    await proxy.close();
    await server.close();
  }
});
