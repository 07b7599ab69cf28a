import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../../kernel/clock.ts';
import { answerClientErrors } from './clientErrors.ts';
import { type Context, exchange } from './exchange.ts';
import type { Limits } from './putObject.ts';
import type { Storage } from './storage.ts';

const CLOSING_MS = 5_000;
const DEFAULT_LIMITS: Limits = {
  maximumBytes: 5 * 1024 ** 3,
  idleMs: 30_000,
  leastBytesPerSecond: 16_384,
};

/**
 * `publicUrl`: the address that signed URLs name when a proxy is in front (then its host is accepted in
 * signatures too, since proxies replace the Host header). `uploadRefusal`: why no upload is accepted for a
 * key now, null when it is; it is called before the bytes come and once more before they are stored. `report`
 * gets failures of the endpoint itself, `warn` faults of clients that no answer can report.
 */
export type EndpointSettings = Readonly<{
  host?: string;
  port: number;
  credentials: Readonly<{ accessKeyId: string; secretAccessKey: string }>;
  bucket: string;
  region: string;
  publicUrl?: string;
  clock: Clock;
  limits?: Partial<Limits>;
  uploadRefusal?: (key: string) => Promise<string | null>;
  report?: (error: unknown) => void;
  warn?: (message: string) => void;
}>;

/**
 * Serves a folder's objects as a small S3: one bucket, path style; GET, HEAD, PUT, copy and DELETE of
 * objects, each signed with the one key. Listens on loopback by default. Throws when the port can't be used.
 * `close` lets requests under way finish for at most five seconds.
 */
export const serveStorage = async (
  storage: Storage,
  settings: EndpointSettings,
): Promise<Readonly<{ url: string; close(): Promise<void> }>> => {
  const { host = '127.0.0.1', port, report = (error) => process.emitWarning(error as Error) } = settings;
  const limits = { ...DEFAULT_LIMITS, ...settings.limits };
  const identity = {
    ...settings.credentials,
    region: settings.region,
    publicHost: hostOf(settings.publicUrl),
  };
  let closing = false;
  const context: Context = {
    bucket: { name: settings.bucket, region: settings.region, storage, limits },
    identity,
    clock: settings.clock,
    report,
    refusal: settings.uploadRefusal ?? (async () => null),
    isClosing: () => closing,
  };
  const { server, settled } = serve(context, limits);
  answerClientErrors(server, settings.warn ?? ((message) => process.emitWarning(message)));
  server.listen(port, host);
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    closing = true;
    await stop(server);
    await settled();
  };
  return { url: addressOf(server), close };
};

const hostOf = (publicUrl: string | undefined): string | null => {
  if (publicUrl === undefined) return null;
  const url = new URL(publicUrl);
  if (url.pathname !== '/') throw new Error(`the public URL of the storage must have no path: ${publicUrl}`);
  return url.host;
};

const serve = (context: Context, limits: Limits) => {
  const underWay = new Set<Promise<void>>();
  const server = createServer({
    headersTimeout: limits.idleMs,
    // An upload's own time grows with its length: see putObject.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(limits.idleMs, 5_000),
    keepAliveTimeout: 60_000,
  });
  server.setTimeout(limits.idleMs);
  for (const event of ['request', 'checkContinue'] as const)
    server.on(event, (raw, response) => {
      const done = exchange(context, raw, response).finally(() => underWay.delete(done));
      underWay.add(done);
    });
  return { server, settled: () => Promise.all(underWay) };
};

const stop = async (server: Server): Promise<void> => {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), CLOSING_MS);
  await closed;
  clearTimeout(timer);
};

const addressOf = (server: Server): string => {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
};
