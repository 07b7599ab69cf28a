import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../../kernel/clock.ts';
import { StoreUnavailable } from '../../../kernel/errors.ts';
import { type Answer, PREFLIGHT, Refusal, refusalAnswer } from './answer.ts';
import { authenticate, type Identity } from './authenticate.ts';
import type { Bucket } from './putObject.ts';
import { readRequest, refuseUnsupported } from './request.ts';
import { route } from './route.ts';
import { send } from './send.ts';

/** `report` gets failures that are not the client's. */
export type Context = Bucket &
  Identity &
  Readonly<{ clock: Clock; report(error: unknown): void; isClosing(): boolean }>;

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
  const envelope = { requestId, now: context.clock.now(), isLast: context.isClosing() };
  await send(raw, response, answer, envelope).catch((error) => {
    context.report(error);
    response.destroy();
  });
};

const answerTo = async (
  context: Context,
  raw: IncomingMessage,
  response: ServerResponse,
): Promise<Answer> => {
  if (raw.method === 'OPTIONS') return PREFLIGHT;
  const request = readRequest(raw);
  const now = context.clock.now();
  const payloadHash = authenticate(request, context, now);
  refuseUnsupported(request);
  const invite = () => {
    if (request.headers.has('expect')) response.writeContinue();
  };
  return route(context, request, { raw, payloadHash, storedAt: now.toISOString(), invite });
};

/** Without the query, whose signature must not travel on in logs of errors. */
const pathOf = (raw: IncomingMessage): string => (raw.url ?? '').replace(/\?.*/s, '');

/** The disk is full, read-only or failing, or too many files are open: a later request may succeed. */
const PASSING = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'EFBIG'];

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
  if (!PASSING.includes(error.code ?? '')) return null;
  return new StoreUnavailable(`the folder of the embedded object store: ${error.message}`, { cause: error });
};
