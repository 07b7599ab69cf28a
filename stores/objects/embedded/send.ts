import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Answer } from './answer.ts';

/**
 * Nothing stored here may run in a browser or stay in its cache, whatever type an uploader gave it. Any
 * origin is allowed: the signature in the URL gives access, never a cookie.
 */
const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Content-Range, Content-Disposition, x-amz-request-id',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'private, no-store',
} as const;

const LINGER_BYTES = 1_048_576;
const LINGER_MS = 2_000;

/** What each answer has besides its own headers. `isLast` ends the connection after it. */
type Envelope = Readonly<{ requestId: string; now: Date; isLast: boolean }>;

/** Sends an answer; a client that has disconnected is no error. Throws what reading the body throws. */
export const send = async (
  raw: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  envelope: Envelope,
): Promise<void> => {
  const { body } = answer;
  if (raw.socket.destroyed) {
    if (body instanceof Readable) body.destroy();
    return;
  }
  const isUnread = expectsBody(raw) && !raw.complete;
  response.sendDate = false;
  response.writeHead(answer.status, {
    ...HEADERS,
    ...answer.headers,
    Date: envelope.now.toUTCString(),
    'x-amz-request-id': envelope.requestId,
    ...((isUnread || envelope.isLast) && { Connection: 'close' }),
  });
  if (body instanceof Readable) return pipeline(body, response).catch(unlessDisconnected);
  if (body === undefined) response.flushHeaders();
  else response.write(body);
  if (isUnread) await linger(raw);
  response.end();
};

const expectsBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Closing while bytes still come would reset the connection, and the client might never get the answer. */
const linger = (raw: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let remaining = LINGER_BYTES;
    const timer = setTimeout(resolve, LINGER_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    for (const event of ['end', 'close', 'error']) raw.once(event, done);
    raw.on('data', (bytes: Buffer) => {
      remaining -= bytes.length;
      if (remaining < 0) done();
    });
    raw.resume();
  });

const DISCONNECTED = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED'];

const unlessDisconnected = (error: NodeJS.ErrnoException): void => {
  if (!DISCONNECTED.includes(error.code ?? '')) throw error;
};
