import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { startTcpProxy } from './tcpProxy.ts';

const test = suite('the proxy of bad days');

const open = async () => {
  const server = createServer((_request, response) => response.end('well')).listen(0, '127.0.0.1');
  // On a slow machine a connection that is used again must not be one that is about to be closed.
  server.keepAliveTimeout = 60_000;
  await once(server, 'listening');
  const proxy = await startTcpProxy({ port: (server.address() as AddressInfo).port });
  const ask = (ms = 5_000): Promise<string> =>
    fetch(`http://${proxy.address}`, { signal: AbortSignal.timeout(ms) }).then(
      (answer) => answer.text(),
      (error: Error) =>
        error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : error.name,
    );
  const close = async (): Promise<void> => {
    await proxy.close();
    server.closeAllConnections();
    server.close();
  };
  return { proxy, ask, close };
};

/** A client may use a connection that was cut once more before it has seen that. */
const isWell = (ask: () => Promise<string>): Promise<boolean> =>
  eventually('all to be well', async () => (await ask()) === 'well');

test('it forwards, refuses, stalls, delays, cuts, and is well again after each', async () => {
  const { proxy, ask, close } = await open();
  assert.is(await ask(), 'well');
  await proxy.refuse();
  assert.is(await ask(), 'ECONNREFUSED');
  await proxy.normal();
  await isWell(ask);
  proxy.stall();
  assert.is(await ask(200), 'TimeoutError');
  const held = ask();
  await proxy.normal();
  assert.is(await held, 'well');
  proxy.delay(150);
  const started = performance.now();
  assert.is(await ask(), 'well');
  assert.ok(performance.now() - started >= 290, 'there and back');
  await proxy.normal();
  const { made } = proxy.connections();
  proxy.cut();
  await eventually('all to be cut', () => proxy.connections().open === 0);
  await isWell(ask);
  assert.ok(proxy.connections().made > made);
  await close();
});
