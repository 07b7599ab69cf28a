import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Observer } from '../observer.ts';
import { Problem, problemBody } from '../problems/problem.ts';
import type { Code } from '../problems/problemTypes.ts';
import { securityHeaders } from '../securityHeaders.ts';
import type { Connections } from './connections.ts';
import { strayProtocol } from './strayProtocol.ts';

const LINGER_MS = 1_000;

const GONE: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

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
  /** A refusal, and the line of it: unless the application has begun with the request, which then has its own. */
  const noted = (code: Code, { stray, ...request }: Told, begun?: ServerResponse): Noted => {
    const problem = new Problem(code, stray);
    const requestId = String(begun?.getHeader('X-Request-Id') ?? options.newRequestId());
    // Without its query, which may hold a token.
    const path = request.url?.split('?', 1)[0] ?? null;
    const { status } = problem;
    const { method = null } = request;
    const unknown = { endpoint: null, keyId: null, userId: null, durationMs: null };
    if (!begun)
      options.observer.answered({ requestId, method, path, status, ...unknown, ...(stray ? { stray } : {}) });
    return { status, requestId, body: problemBody(problem, requestId, path) };
  };
  const refuse = (socket: Duplex, code: Code, request: Told): void => {
    if (refused.has(socket)) return;
    refused.add(socket);
    options.afterAnswers(socket, (begun) => {
      if (socket.writable) socket.end(rawAnswer(noted(code, request, begun)));
      linger(socket);
    });
  };
  server.on('clientError', (error: ClientError, socket: Duplex) => {
    const stray = strayProtocol(error.rawPacket);
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, codes[error.code ?? ''] ?? 'malformed-request', stray ? { stray } : {});
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const refusal = noted('expectation-failed', request);
    response.writeHead(refusal.status, rawHeaders(refusal)).end(refusal.body);
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    // A client that leaves once it is refused does nothing wrong.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!GONE.has(error.code ?? '')) options.observer.failed(error, null);
    });
    refuse(socket, 'upgrade-refused', request);
  });
};

/** Unread bytes would reset the connection before the client sees the answer: they are taken in for a moment. */
const linger = (socket: Duplex): void => {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer)).resume();
};

type ClientError = NodeJS.ErrnoException & Readonly<{ rawPacket?: Buffer }>;

/** What Node has understood of a request, or what came in its place. */
type Told = Readonly<{ method?: string | undefined; url?: string | undefined; stray?: string }>;

type Noted = Readonly<{ status: number; requestId: string; body: string }>;

const rawHeaders = ({ requestId, body }: Noted): Readonly<Record<string, string>> => ({
  ...securityHeaders,
  'Content-Type': 'application/problem+json',
  'Content-Length': String(Buffer.byteLength(body)),
  'X-Request-Id': requestId,
  Connection: 'close',
});

const rawAnswer = (refusal: Noted): string => {
  const { status, body } = refusal;
  const lines = Object.entries(rawHeaders(refusal)).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
};
