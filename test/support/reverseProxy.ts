import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reverse proxy on this machine, as a small nginx: how many requests went through it, and its address. */
export type ReverseProxy = Readonly<{ url: string; passed(): number; close(): Promise<void> }>;

/**
 * Passes requests on to `port`, under the `Host` that they came with (`proxy_set_header Host $http_host`) or
 * under that of the port. `below`: the path under which it is reached, which is not passed on. `seen` is told
 * of each request.
 */
export const startReverseProxy = async (
  port: number,
  host: 'kept' | 'replaced',
  below = '',
  seen: (method: string, path: string) => void = () => undefined,
): Promise<ReverseProxy> => {
  let passed = 0;
  const server = createServer((incoming, answer) => {
    passed += 1;
    seen(incoming.method ?? '', incoming.url ?? '');
    if (!incoming.url?.startsWith(below)) return void answer.writeHead(404).end();
    incoming.url = incoming.url.slice(below.length);
    forward(incoming, answer, port, host === 'replaced' ? { host: `127.0.0.1:${port}` } : {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${below}`,
    passed: () => passed,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

const forward = (
  incoming: IncomingMessage,
  answer: ServerResponse,
  port: number,
  more: Readonly<Record<string, string>>,
): void => {
  const { method, url: path, headers, socket } = incoming;
  const forwardedFor = [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join(', ');
  const sent = request(
    {
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...headers, 'x-forwarded-for': forwardedFor, ...more },
    },
    (received) => {
      answer.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(answer);
    },
  );
  sent.once('error', () => answer.writeHead(502).end());
  incoming.pipe(sent);
};
