import { writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { certificateFor } from './certificate.ts';

/** A request as it came: `body` are the raw bytes, `at` is in milliseconds since 1970. */
export type Received = Readonly<{
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  at: number;
}>;

/**
 * How to answer: a status (200 unless given), or `hang` (never), `drip` (200, then a byte now and then for
 * ever), `endless` (200, then as much as the line carries), `close` (end the connection without an answer).
 */
export type Answer =
  | Readonly<{ status?: number; headers?: Readonly<Record<string, string>>; body?: string }>
  | 'hang'
  | 'drip'
  | 'endless'
  | 'close';

export type ReceiverOptions = Readonly<{
  name?: string;
  host?: string;
  answer?: (request: Received) => Answer | Promise<Answer>;
}>;

/**
 * `url` has the receiver's name, which passes the webhook URL rules; `resolve` maps it to this machine. `ca`
 * is the PEM to trust. `connections` counts all that were ever opened. `waitFor` gives the first request that
 * fits, received or to come.
 */
export type Receiver = Readonly<{
  url: string;
  resolve: ReadonlyMap<string, readonly string[]>;
  ca: string;
  requests: readonly Received[];
  connections(): number;
  waitFor(fits: (request: Received) => boolean, timeoutMs?: number): Promise<Received>;
  close(): Promise<void>;
}>;

/**
 * An HTTPS receiver of webhooks on a free port of this machine, for the demo and the tests; its certificate
 * is made at the start.
 */
export const startReceiver = async (options: ReceiverOptions = {}): Promise<Receiver> => {
  const { name = 'receiver.example', host = '127.0.0.1', answer = () => ({}) } = options;
  const { key, cert } = await certificateFor(name);
  const record = recordOfRequests();
  let connections = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = request;
    const received = { method, path, headers, body: await buffer(request), at: Date.now() };
    record.add(received);
    give(await answer(received), response);
  };
  const server = createServer({ key, cert }, (request, response) => {
    serve(request, response).catch((error: Error) => response.destroy(error));
  }).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve);
  });
  return {
    url: `https://${name}:${(server.address() as AddressInfo).port}`,
    resolve: new Map([[name, [host]]]),
    ca: cert,
    requests: record.requests,
    connections: () => connections,
    waitFor: record.waitFor,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
};

/** Settings with which a service reaches a receiver, whose certificate is written to `folder`. */
export const receiverSettings = ({ resolve, ca }: Receiver, folder: string) => {
  const path = join(folder, 'receiver.pem');
  writeFileSync(path, ca);
  const addresses = [...resolve].flatMap(([name, hosts]) => hosts.map((host) => `${name}=${host}`));
  return { WEBHOOK_EGRESS: 'any', WEBHOOK_RESOLVE: addresses.join(), WEBHOOK_CA: path };
};

const recordOfRequests = () => {
  const requests: Received[] = [];
  const waiting = new Set<() => void>();
  const add = (received: Received): void => {
    requests.push(received);
    for (const check of waiting) check();
  };
  const waitFor: Receiver['waitFor'] = (fits, timeoutMs = 10_000) =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        waiting.delete(check);
      };
      const check = (): void => {
        const found = requests.find(fits);
        if (!found) return;
        stop();
        resolve(found);
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`no request that fits came within ${timeoutMs} ms`));
      }, timeoutMs);
      waiting.add(check);
      check();
    });
  return { requests, add, waitFor };
};

const give = (answer: Answer, response: ServerResponse): void => {
  if (answer === 'hang') return;
  if (answer === 'close') response.destroy();
  else if (answer === 'drip') drip(response);
  else if (answer === 'endless') flood(response);
  else response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
};

const drip = (response: ServerResponse): void => {
  response.writeHead(200).flushHeaders();
  const timer = setInterval(() => response.write('.'), 20);
  response.once('close', () => clearInterval(timer));
};

const flood = (response: ServerResponse): void => {
  const more = Buffer.alloc(16_384, '.');
  const pour = (): void => {
    while (!response.destroyed && response.write(more));
  };
  response.writeHead(200).on('drain', pour);
  pour();
};
