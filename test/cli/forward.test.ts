import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { createForward } from '../../cli/api/forward.ts';
import type { FeedEvent } from '../../cli/api/listenFeed.ts';
import { suite } from '../harness.ts';

const test = suite('forwarding an event');
const event = { eventId: '01a214e8-064c-755a-9a11-fc1ab9dbe489', eventType: 'session.failed' } as FeedEvent;
const never = new AbortController().signal;
const closing: (() => Promise<unknown>)[] = [];
test.after(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A receiver that answers with these statuses in turn, and a forwarder to it with quick retries. */
const stage = async (...statuses: readonly number[]) => {
  const bodies: string[] = [];
  const notices: string[] = [];
  const server: Server = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.writeHead(statuses[bodies.length - 1] ?? 204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const forward = createForward({ url, secret: 'secret', retryDelaysMs: [1, 2, 3] });
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  closing.push(forward.close, stop);
  const send = (signal = never) => forward.send(event, (notice) => void notices.push(notice), signal);
  return { bodies, notices, send, stop };
};

test('a failed attempt is repeated after its delay, and said', async () => {
  const { send, bodies, notices } = await stage(500, 302);
  const { statusCode, error, attempts, delivered } = await send();
  assert.equal(
    { statusCode, error, attempts, delivered },
    { statusCode: 204, error: null, attempts: 3, delivered: true },
  );
  assert.equal(bodies, Array(3).fill(JSON.stringify(event)));
  const named = `session.failed ${event.eventId}`;
  assert.equal(notices, [
    `${named}: answered 500. Again in 0.001 s.`,
    `${named}: answered 302: redirects are not followed. Again in 0.002 s.`,
  ]);
});

test('after four failures it is given up, so that the next one has its turn', async () => {
  const { send, bodies } = await stage(500, 501, 502, 503);
  const { statusCode, error, attempts, delivered } = await send();
  assert.equal(
    { statusCode, error, attempts, delivered },
    { statusCode: 503, error: 'answered 503', attempts: 4, delivered: false },
  );
  assert.is((await send()).delivered, true);
  assert.is(bodies.length, 5);
});

test('a receiver that is down is one that fails', async () => {
  const { send, stop } = await stage();
  await stop();
  const { statusCode, error, attempts } = await send();
  assert.equal([statusCode, error, attempts], [null, 'the connection was refused', 4]);
});

test('a stop ends it', async () => {
  const { send, bodies } = await stage();
  const thrown = await send(AbortSignal.abort()).catch((error: Error) => error.name);
  assert.equal([thrown, bodies], ['AbortError', []]);
});
