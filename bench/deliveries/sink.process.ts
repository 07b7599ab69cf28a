import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Arrival } from './sink.ts';

// Run by sink.ts as a process of its own, so that its costs are not the service's: it answers each webhook at
// once, and notes when each identifier came first. What comes to its second port is never answered.

const arrivals = new Map<string, Arrival>();

const listen = async (
  pair: Readonly<{ key: string; cert: string }>,
  onWebhook: (id: string, body: string, path: string) => boolean,
): Promise<number> => {
  const server = createServer({ ...pair, keepAliveTimeout: 120_000 }, (request, response) => {
    let body = '';
    request
      .setEncoding('utf8')
      .on('data', (text: string) => {
        body += text;
      })
      .once('end', () => {
        if (onWebhook(String(request.headers['x-webhook-id']), body, request.url ?? ''))
          response.writeHead(204).end();
      });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
};

const note = (id: string, body: string, path: string): boolean => {
  const at = performance.timeOrigin + performance.now();
  const { occurredAt } = JSON.parse(body) as Readonly<{ occurredAt?: string }>;
  if (!arrivals.has(id)) arrivals.set(id, { at, occurredAt: Date.parse(occurredAt ?? '') });
  if (/^\/\d+$/.test(path)) process.send?.({ path });
  return true;
};

process.on('message', async (asked: 'count' | 'arrivals' | Readonly<{ key: string; cert: string }>) => {
  if (asked === 'count') process.send?.({ answer: arrivals.size });
  else if (asked === 'arrivals') process.send?.({ answer: [...arrivals] });
  else
    process.send?.({ answer: { live: await listen(asked, note), dead: await listen(asked, () => false) } });
});
process.on('disconnect', () => process.exit(0));
