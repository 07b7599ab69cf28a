import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { securityHeadersOf } from '../identify.ts';
import type { Observer } from '../observer.ts';
import { Problem, problemBody } from '../problems/problem.ts';
import type { ProblemCode } from '../problems/problemTypes.ts';
import type { Connections } from './connections.ts';

const LINGER_MS = 1_000;

const CLIENT_GONE: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

const codes: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'content-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

/**
 * Makes a problem of what Node refuses by itself: requests that are not HTTP (400), too slow (408), with too
 * large headers (431), and tunnels (501). `afterAnswers` waits until a socket may be written to.
 */
export const answerRefusals = (
  server: Server,
  options: Readonly<{
    observer: Observer;
    publicUrl: string | null;
    newRequestId(): string;
    afterAnswers: Connections['afterAnswers'];
  }>,
): void => {
  const refused = new WeakSet<Duplex>();
  const security = securityHeadersOf(options.publicUrl);
  /** Makes a refusal and reports it, unless the application has started on the request and will report it. */
  const refusalOf = (
    code: ProblemCode,
    { stray, ...request }: Refused,
    unanswered?: ServerResponse,
  ): Refusal => {
    const problem = new Problem(code, stray);
    const requestId = String(unanswered?.getHeader('X-Request-Id') ?? options.newRequestId());
    // Without its query, which may contain a token.
    const path = request.url?.split('?', 1)[0] ?? null;
    const { status } = problem;
    const { method = null } = request;
    const unknown = { endpoint: null, keyId: null, userId: null, durationMs: null };
    if (!unanswered)
      options.observer.answered({ requestId, method, path, status, ...unknown, ...(stray ? { stray } : {}) });
    return { status, requestId, security, body: problemBody(problem, requestId, path) };
  };
  const refuse = (socket: Duplex, code: ProblemCode, request: Refused): void => {
    if (refused.has(socket)) return;
    refused.add(socket);
    options.afterAnswers(socket, (unanswered) => {
      if (socket.writable) socket.end(rawAnswer(refusalOf(code, request, unanswered)));
      linger(socket);
    });
  };
  server.on('clientError', (error: ClientError, socket: Duplex) => {
    const stray = strayProtocol(error.rawPacket);
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, codes[error.code ?? ''] ?? 'malformed-request', stray ? { stray } : {});
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const refusal = refusalOf('expectation-failed', request);
    response.writeHead(refusal.status, rawHeaders(refusal)).end(refusal.body);
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    // A client may leave once it is refused.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!CLIENT_GONE.has(error.code ?? '')) options.observer.failed(error, null);
    });
    refuse(socket, 'upgrade-refused', request);
  });
};

/** Reads on for a moment: unread bytes would reset the connection before the client reads the answer. */
const linger = (socket: Duplex): void => {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer)).resume();
};

type ClientError = NodeJS.ErrnoException & Readonly<{ rawPacket?: Buffer }>;

/** What Node has parsed of a request, or the other protocol that came instead. */
type Refused = Readonly<{ method?: string | undefined; url?: string | undefined; stray?: string }>;

type Refusal = Readonly<{
  status: number;
  requestId: string;
  security: Readonly<Record<string, string>>;
  body: string;
}>;

const rawHeaders = ({ requestId, security, body }: Refusal): Readonly<Record<string, string>> => ({
  ...security,
  'Content-Type': 'application/problem+json',
  'Content-Length': String(Buffer.byteLength(body)),
  'X-Request-Id': requestId,
  Connection: 'close',
});

const rawAnswer = (refusal: Refusal): string => {
  const { status, body } = refusal;
  const lines = Object.entries(rawHeaders(refusal)).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
};

/** Names the protocol of a connection's first bytes where that is not HTTP/1.1; null if it is unknown. */
const strayProtocol = (bytes: Buffer | undefined): string | null => {
  if (bytes === undefined) return null;
  // A handshake record of TLS 1.0 to 1.3 (RFC 8446, 5.1).
  if (bytes[0] === 0x16 && bytes[1] === 0x03)
    return 'A TLS handshake arrived at the http port: use http://, or https:// at a proxy before the service.';
  const text = bytes.subarray(0, 14).toString('latin1');
  if (text === 'PRI * HTTP/2.0') return 'HTTP/2 arrived at a port that speaks HTTP/1.1.';
  if (/^PROXY (TCP|UNKNOWN)|^\r\n\r\n\0\r\nQUIT\n/.test(text))
    return 'The PROXY protocol arrived at the http port: let the proxy send X-Forwarded-For.';
  return null;
};
