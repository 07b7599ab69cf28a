import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Observer } from '../observer.ts';
import { type Connections, trackConnections } from './connections.ts';
import { answerRefusals } from './refusals.ts';

/** `port` 0 means any free one. Times in milliseconds, sizes in bytes. */
export type ServerOptions = Readonly<{
  host: string;
  port: number;
  observer: Observer;
  /** The address under which browsers reach the service; null for one that nobody has set. */
  publicUrl: string | null;
  newRequestId(): string;
  limits?: Partial<typeof defaultLimits>;
}>;

export type RunningServer = Readonly<Awaited<ReturnType<typeof startServer>>>;

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
  closeMs: 7_000,
};

/** Connections that may wait to be accepted, as Node's own default. */
const BACKLOG = 511;

/** Resolves when the server listens. Throws what listening throws (a port in use). */
export const startServer = async (listener: RequestListener, options: ServerOptions) => {
  const limits = { ...defaultLimits, ...options.limits };
  const { headersMs, requestMs, keepAliveMs } = limits;
  const server = createServer({
    // Checked by answerProblems.ts, so that its absence is a problem like any other.
    requireHostHeader: false,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: Math.min(1_000, headersMs / 4, requestMs / 4),
  });
  // Node would drop those beyond 2,000 silently, even a second Host; their bytes are limited.
  server.maxHeadersCount = 0;
  // For clients that read nothing of their answers.
  server.setTimeout(limits.silentMs);
  const { requestsPerSocket: requests, pipelined, answerMs } = limits;
  const connections = trackConnections(server, { requests, pipelined, answerMs });
  const handle: RequestListener = (request, response) => {
    if (connections.register(request, response)) listener(request, response);
  };
  // body.ts sends 100 Continue once the request has passed the checks before its body.
  server.on('request', handle).on('checkContinue', handle);
  answerRefusals(server, { ...options, afterAnswers: connections.afterAnswers });
  server.listen(options.port, options.host, BACKLOG);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    /**
     * Stops accepting after the connections that wait already, answers requests that came or come within
     * `graceMs`, destroys idle connections, and after `closeMs` all others.
     */
    close: (): Promise<void> => close(server, connections, limits),
  };
};

const close = async (
  server: Server,
  connections: Connections,
  { graceMs, closeMs }: Pick<typeof defaultLimits, 'graceMs' | 'closeMs'>,
): Promise<void> => {
  const closed = once(server, 'close');
  const started = performance.now();
  connections.beginClosing();
  // The connection that is accepted last has time for an answer.
  await stopListening(server, started + closeMs / 2);
  const timer = setTimeout(connections.destroyAll, started + closeMs - performance.now());
  // Between a timer and an immediate the event loop reads what came while the process was busy.
  const sweep = setInterval(() => setImmediate(connections.destroyIdle), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
};

/**
 * First accepts the connections of the backlog, one a turn of the event loop (libuv 1.45): closing would
 * reset them, with all that they have sent.
 */
const stopListening = async (server: Server, until: number): Promise<void> => {
  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
  });
  await nextTurn(); // the turns from here on are complete
  for (let turn = 0; turn <= BACKLOG && performance.now() < until; turn += 1) {
    const before = accepted;
    await nextTurn();
    if (accepted === before) break;
  }
  // http's own close would cut idle connections at once, also those on which a request is just arriving.
  NetServer.prototype.close.call(server);
};
