import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';
import { answerClientErrors } from './embedded/clientErrors.ts';
import { type Context, exchange } from './embedded/exchange.ts';
import { folderObjectStore } from './embedded/folderStore.ts';
import type { Limits } from './embedded/putObject.ts';
import { openStorage } from './embedded/storage.ts';
import type { ObjectStore } from './port.ts';
import { keepSigner } from './sigv4.ts';

const CLOSING_MS = 5_000;
const DEFAULT_LIMITS: Limits = {
  maximumBytes: 5 * 1024 ** 3,
  idleMs: 30_000,
  leastBytesPerSecond: 16_384,
};

/**
 * `folder` belongs to this process alone. `host`: the loopback by default. `publicUrl`: the address that
 * signed URLs name when a proxy is in front (then its host is accepted in signatures too, since proxies
 * replace the Host header). `origins`: those whose pages may use it; all without any. `uploadRefusal`: why no
 * upload is accepted for a key now, null when it is; it is called before the bytes of a large one come, and
 * once all bytes have come, before they are stored. `report` gets failures of the endpoint itself, `warn`
 * faults of clients that no answer can report.
 */
export type EmbeddedSettings = Readonly<{
  folder: string;
  host?: string;
  port: number;
  credentials: Readonly<{ accessKeyId: string; secretAccessKey: string }>;
  bucket: string;
  region: string;
  publicUrl?: string;
  origins?: ReadonlySet<string>;
  clock: Clock;
  limits?: Partial<Limits>;
  uploadRefusal?: (key: string) => Promise<string | null>;
  report?: (error: unknown) => void;
  warn?: (message: string) => void;
}>;

/** `url`: where the endpoint listens. `close` lets requests under way finish for at most five seconds. */
type EmbeddedObjects = Readonly<{ objects: ObjectStore; url: string; close(): Promise<void> }>;

/**
 * Opens the embedded object store: `objects` works on the folder, clients use its presigned URLs at a small
 * S3 endpoint: one bucket, path style; GET, HEAD, PUT, copy and DELETE of objects, each signed with the one
 * key. Throws when the folder or the port can't be used.
 */
export const embeddedObjects = async (settings: EmbeddedSettings): Promise<EmbeddedObjects> => {
  const { folder, host = '127.0.0.1', port, publicUrl } = settings;
  const storage = await openStorage(folder);
  let isClosing = false;
  const { server, settled } = serve({
    ...settings,
    storage,
    limits: { ...DEFAULT_LIMITS, ...settings.limits },
    publicHost: hostOf(publicUrl),
    origins: settings.origins ?? new Set(),
    signerOf: keepSigner(),
    uploadRefusal: settings.uploadRefusal ?? (async () => null),
    report: settings.report ?? ((error) => process.emitWarning(error as Error)),
    isClosing: () => isClosing,
  });
  answerClientErrors(server, settings.warn ?? ((message) => process.emitWarning(message)));
  server.listen(port, host);
  await once(server, 'listening');
  const url = addressOf(server);
  return {
    objects: folderObjectStore(folder, storage, { ...settings, baseUrl: publicUrl ?? url }),
    url,
    close: async () => {
      isClosing = true;
      await stop(server);
      await settled();
      await storage.close();
    },
  };
};

const hostOf = (publicUrl: string | undefined): string | null => {
  if (publicUrl === undefined) return null;
  const url = new URL(publicUrl);
  if (url.pathname !== '/') throw new Error(`the public URL of the storage must have no path: ${publicUrl}`);
  return url.host;
};

const serve = (context: Context) => {
  const { limits } = context;
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
