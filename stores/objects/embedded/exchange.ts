import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../../kernel/clock.ts';
import { drain } from '../../../kernel/drain.ts';
import { StoreUnavailable } from '../../../kernel/errors.ts';
import { type Answer, Refusal, refusalAnswer } from './answer.ts';
import { authenticate, type Identity } from './authenticate.ts';
import { checkOrigin, type Origins, PREFLIGHT, sharing } from './origins.ts';
import { isForm, postForm } from './postForm.ts';
import type { Bucket } from './putObject.ts';
import { readRequest, refuseUnsupported } from './request.ts';
import { route } from './route.ts';

/** `report` gets failures that are not the client's. */
export type Context = Bucket &
  Identity &
  Readonly<{ clock: Clock; origins: Origins; report(error: unknown): void; isClosing(): boolean }>;

/** One request and its answer. Never throws: failures are answered, or reported. */
export const exchange = async (
  context: Context,
  raw: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const requestId = randomUUID();
  const answer = await answerTo(context, raw, response).catch((error) =>
    refusalAnswer(refusalFor(error, context.report), pathOf(raw), requestId),
  );
  await send(context, requestId, raw, response, answer).catch((error) => {
    context.report(error);
    response.destroy();
  });
};

const answerTo = async (
  context: Context,
  raw: IncomingMessage,
  response: ServerResponse,
): Promise<Answer> => {
  checkOrigin(raw, context.origins);
  if (raw.method === 'OPTIONS') return PREFLIGHT;
  const request = readRequest(raw);
  const now = context.clock.now();
  const invite = () => {
    if (request.headers.has('expect')) response.writeContinue();
  };
  const upload = { raw, storedAt: now.toISOString(), invite };
  if (isForm(request)) return postForm(context, request, upload, now);
  const payloadHash = authenticate(request, context, now);
  refuseUnsupported(request);
  return route(context, request, { ...upload, payloadHash });
};

/** Without the query, whose signature must not travel on in logs of errors. */
const pathOf = (raw: IncomingMessage): string => (raw.url ?? '').replace(/\?.*/s, '');

/** The disk is full, read-only or failing, or too many files are open: a later request may succeed. */
const TEMPORARY = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'EFBIG'];

const refusalFor = (error: NodeJS.ErrnoException, report: Context['report']): Refusal => {
  if (error instanceof Refusal) return error;
  if (error.code === 'ECONNRESET') return new Refusal('IncompleteBody', 'the connection was lost');
  const outage = outageOf(error);
  report(outage ?? error);
  return outage
    ? new Refusal('SlowDown', 'the storage can not be used now')
    : new Refusal('InternalError', 'the request failed');
};

/** An outage is reported once, not by request. */
const outageOf = (error: NodeJS.ErrnoException): StoreUnavailable | null => {
  if (error instanceof StoreUnavailable) return error;
  if (!TEMPORARY.includes(error.code ?? '')) return null;
  return new StoreUnavailable(`the folder of the embedded object store: ${error.message}`, { cause: error });
};

/** Nothing stored here may run in a browser or stay in its cache, whatever type an uploader gave it. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'private, no-store',
} as const;

const DRAIN_BYTES = 1_048_576;
const DRAIN_MS = 2_000;

/** Sends an answer; a client that has disconnected is no error. Throws what reading the body throws. */
const send = async (
  { clock, origins, isClosing }: Context,
  requestId: string,
  raw: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
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
    ...sharing(raw, origins),
    ...answer.headers,
    Date: clock.now().toUTCString(),
    'x-amz-request-id': requestId,
    ...((isUnread || isClosing()) && { Connection: 'close' }),
  });
  if (body instanceof Readable) return pipeline(body, response).catch(unlessDisconnected);
  if (body === undefined) response.flushHeaders();
  else response.write(body);
  if (isUnread) await drain(raw, DRAIN_MS, DRAIN_BYTES);
  response.end();
};

const expectsBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const DISCONNECTED = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED'];

const unlessDisconnected = (error: NodeJS.ErrnoException): void => {
  if (!DISCONNECTED.includes(error.code ?? '')) throw error;
};
