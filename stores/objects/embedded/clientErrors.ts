import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal, refusalAnswer } from './answer.ts';

type ClientError = NodeJS.ErrnoException & Readonly<{ rawPacket?: Buffer }>;

const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const TLS = 'A TLS handshake arrived at the http port of the object store';

/**
 * Answers malformed HTTP as Node does by default. A client that uses TLS can't read the answer, so `warn`
 * gets it too: an https address without a proxy that terminates TLS is a fault of the operator's settings.
 */
export const answerClientErrors = (server: Server, warn: (message: string) => void): void => {
  const pending = new Map<Duplex, ServerResponse>();
  for (const event of ['request', 'checkContinue'] as const)
    server.on(event, ({ socket }, response: ServerResponse) => {
      pending.set(socket, response);
      response.once('close', () => pending.delete(socket));
    });
  server.on('clientError', (error: ClientError, socket: Duplex) => {
    const isTls = error.rawPacket?.[0] === 0x16 && error.rawPacket[1] === 0x03;
    if (isTls) warn(`${TLS}: STORAGE_PUBLIC_URL may name https only where a proxy terminates TLS`);
    if (!socket.writable || pending.get(socket)?.headersSent) socket.destroy();
    else socket.end(isTls ? TLS_ANSWER : head(STATUS[error.code ?? ''] ?? 400), () => socket.destroy());
  });
};

const head = (status: number, headers: Readonly<Record<string, string>> = {}): string =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

const { status, headers, body } = refusalAnswer(new Refusal('InvalidRequest', `${TLS}: use http://`), '', '');
const TLS_ANSWER = `${head(status, headers)}${body}`;
