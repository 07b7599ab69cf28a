import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Observer } from '../observer.ts';
import { type Connections, trackConnections } from './connections.ts';
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
  /**
   * Stops accepting behind those who wait already, answers what has come and what comes within `graceMs` on open connections, ends the idle ones,
   * and after `closeMs` the rest.
   */
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
  closeMs: 7_000,
};

/** How many connections may wait to be accepted: as many as Node itself would let. */
const QUEUE = 511;

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
  server.listen(options.port, options.host, QUEUE);
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
  const begun = performance.now();
  connections.beginClosing();
  // Whoever is accepted last has time for an answer.
  await stopListening(server, begun + closeMs / 2);
  const end = setTimeout(connections.destroyAll, begun + closeMs - performance.now());
  // What came while the process was busy is read between a timer and an immediate.
  const sweep = setInterval(() => setImmediate(connections.destroyIdle), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
};

/**
 * First accepts those who wait in the queue, of whom a turn of the loop takes but one (libuv 1.45): closing would reset them, with all that they
 * have sent.
 */
const stopListening = async (server: Server, until: number): Promise<void> => {
  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
  });
  await nextTurn(); // those that follow are whole
  for (let turn = 0; turn <= QUEUE && performance.now() < until; turn += 1) {
    const before = accepted;
    await nextTurn();
    if (accepted === before) break;
  }
  // http's own close would cut idle connections at once, also those on which a request is just arriving.
  NetServer.prototype.close.call(server);
};
