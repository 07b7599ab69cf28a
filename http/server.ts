import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { type Connections, trackConnections } from './connections.ts';
import type { Observer } from './observer.ts';
import { answerRefusals } from './refusals.ts';

/** `port` 0 takes a free one. Times in milliseconds, sizes in bytes; the defaults stand below. */
export type ServerOptions = Readonly<{
  host: string;
  port: number;
  observer: Observer;
  newRequestId(): string;
  limits?: Partial<typeof defaultLimits>;
}>;

export type RunningServer = Readonly<{
  port: number;
  /** Stops accepting, lets running requests finish, closes idle connections, and after `closeMs` the rest. */
  close(): Promise<void>;
}>;

const defaultLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  silentMs: 90_000,
  headerBytes: 16_384,
  requestsPerSocket: 10_000,
  pipelined: 64,
  answerMs: 120_000,
  graceMs: 250,
  closeMs: 10_000,
};

/** Listens, and resolves when it does; throws what listening throws (a port in use). */
export const startServer = async (
  listener: RequestListener,
  options: ServerOptions,
): Promise<RunningServer> => {
  const limits = { ...defaultLimits, ...options.limits };
  const { headersMs, requestMs, keepAliveMs } = limits;
  const server = createServer({
    // Checked by the application, so that its absence is a problem like any other.
    requireHostHeader: false,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: Math.min(1_000, headersMs / 4, requestMs / 4),
  });
  // Node would leave out the ones beyond 2,000 without a word, a second Host among them; their bytes are limited.
  server.maxHeadersCount = 0;
  // A client that reads nothing of its answer.
  server.setTimeout(limits.silentMs);
  const { requestsPerSocket: requests, pipelined, answerMs } = limits;
  const connections = trackConnections(server, { requests, pipelined, answerMs });
  const handle: RequestListener = (request, response) => {
    if (connections.note(request, response)) listener(request, response);
  };
  // The body reader asks for the body (100 Continue) once the request has been found worth it.
  server.on('request', handle).on('checkContinue', handle);
  answerRefusals(server, { ...options, afterAnswers: connections.afterAnswers });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, close: () => close(server, connections, limits) };
};

const close = async (
  server: Server,
  connections: Connections,
  { graceMs, closeMs }: Pick<typeof defaultLimits, 'graceMs' | 'closeMs'>,
): Promise<void> => {
  const closed = once(server, 'close');
  // http's own close would cut idle connections at once, also those on which a request is just arriving.
  NetServer.prototype.close.call(server);
  connections.beginClosing();
  const grace = setTimeout(connections.destroyIdle, graceMs);
  const end = setTimeout(connections.destroyAll, closeMs);
  await closed;
  clearTimeout(grace);
  clearTimeout(end);
};
