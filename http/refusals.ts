import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Connections } from './connections.ts';
import type { Observer } from './observer.ts';
import { Problem, problemBody } from './problem.ts';
import type { Code } from './problems.ts';

const LINGER_MS = 1_000;

const codes: Readonly<Record<string, Code>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'content-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

/**
 * Makes what Node refuses by itself a problem: requests that are no HTTP (400), too slow (408), with headers too large (431), and
 * tunnels (501). `afterAnswers` says when a socket may be written to.
 */
export const answerRefusals = (
  server: Server,
  options: Readonly<{
    observer: Observer;
    newRequestId(): string;
    afterAnswers: Connections['afterAnswers'];
  }>,
): void => {
  const refused = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, code: Code, instance: string | null): void => {
    if (refused.has(socket)) return;
    refused.add(socket);
    options.afterAnswers(socket, () => {
      if (socket.writable) socket.end(rawAnswer(new Problem(code), options.newRequestId(), instance));
      linger(socket);
    });
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, codes[error.code ?? ''] ?? 'malformed-request', null);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const requestId = options.newRequestId();
    const body = problemBody(new Problem('expectation-failed'), requestId, request.url ?? null);
    response.writeHead(417, rawHeaders(requestId, body)).end(body);
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', (error) => options.observer.failed(error, null));
    refuse(socket, 'upgrade-refused', request.url ?? null);
  });
};

/** Unread bytes would reset the connection before the client sees the answer: they are taken in for a moment. */
const linger = (socket: Duplex): void => {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer)).resume();
};

const rawHeaders = (requestId: string, body: string): Readonly<Record<string, string>> => ({
  'Content-Type': 'application/problem+json',
  'Content-Length': String(Buffer.byteLength(body)),
  'X-Request-Id': requestId,
  'Cache-Control': 'no-store',
  Connection: 'close',
});

const rawAnswer = (problem: Problem, requestId: string, instance: string | null): string => {
  const body = problemBody(problem, requestId, instance);
  const lines = Object.entries(rawHeaders(requestId, body)).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`, ...lines, '', body].join('\r\n');
};
