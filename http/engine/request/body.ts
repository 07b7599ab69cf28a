import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { drain } from '../../../kernel/drain.ts';
import { once } from '../../../kernel/once.ts';
import { jsonFault } from '../../../schemas/jsonFault.ts';
import type { Context } from '../koa.ts';
import { malformed, Problem } from '../problems/problem.ts';

const MAX_BYTES = 256 * 1024;
const JSON_TYPE = /^application\/json *(?:; *charset="?utf-?8"? *)?$/i;

/** A JSON body: its text as sent, and its value. */
export type Body = Readonly<{ value: unknown; text: string }>;

const options = {
  jsonStrict: false,
  jsonTypes: ['application/json'],
  includeUnparsed: true,
  multipart: false,
  urlencoded: false,
  text: false,
};

/** With the first body: its modules would take a fifth of the time of a start, which needs none. */
const load = once(async () => (await import('koa-body')).koaBody);
type Parser = ReturnType<Awaited<ReturnType<typeof load>>>;

const parsers = new Map<number, Parser>();

const loadParser = async (jsonLimit: number): Promise<Parser> => {
  const koaBody = await load();
  const parser = parsers.get(jsonLimit) ?? koaBody({ ...options, jsonLimit });
  parsers.set(jsonLimit, parser);
  return parser;
};

/**
 * The request's JSON body; `{}` when there is none (requests-13). Throws 413 over `limit` bytes (256 KiB),
 * declared or sent, 415 for another media type or a compressed body, 400 for what is not JSON in UTF-8.
 */
export const readBody = async (ctx: Context, limit = MAX_BYTES): Promise<Body> => {
  const { req } = ctx;
  if (!hasBody(req)) return NO_BODY;
  if (Number(req.headers['content-length'] ?? 0) > limit) throw await tooLarge(req, limit);
  if (!isPlainJson(req)) {
    if (await isEmptyChunked(req)) return NO_BODY;
    throw new Problem('unsupported-media-type', `${EXPECTED} ${actualMedia(req)}`);
  }
  if (req.headers.expect) ctx.res.writeContinue();
  // First: from the listener on the body flows, and the parser would come too late.
  const parse = await loadParser(limit);
  // The parser would wait for ever for a client that has gone.
  if (req.destroyed) throw endedEarly();
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  const body = await parsed(ctx, parse, limit);
  // The parser turns bytes that are not UTF-8 into U+FFFD, as if the client had sent that.
  if (body.text.includes('\ufffd') && !isUtf8(Buffer.concat(chunks))) throw notJson();
  return body;
};

const NO_BODY: Body = { value: {}, text: '{}' };

/** Whether a request has, or declares, a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether a body of undeclared length is empty. 100 Continue is not sent for it. */
const isEmptyChunked = async (req: IncomingMessage): Promise<boolean> => {
  if (req.headers['transfer-encoding'] === undefined || req.headers.expect) return false;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      req.off('readable', done).off('close', done);
      resolve();
    };
    req.on('readable', done).on('close', done);
  });
  return req.complete && req.readableLength === 0;
};

const isPlainJson = ({ headers }: IncomingMessage): boolean =>
  JSON_TYPE.test(headers['content-type'] ?? '') &&
  (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity';

const EXPECTED = 'Send JSON in UTF-8, uncompressed, with `Content-Type: application/json`.';

const actualMedia = ({ headers }: IncomingMessage): string => {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    return 'This request has a Content-Encoding.';
  const [, type] = /^([\w.+-]{1,64}\/[\w.+-]{1,64})(?![\w/.+-])/.exec(headers['content-type'] ?? '') ?? [];
  if (type === undefined) return 'This request has no Content-Type, or none that is valid.';
  if (type.toLowerCase() === 'application/json') return 'This request has another charset.';
  const files = /^multipart\//i.test(type) ? ' Files go to the upload addresses of a session.' : '';
  return `This request has the type ${type}.${files}`;
};

const parsed = async (ctx: Context, parse: Parser, limit: number): Promise<Body> => {
  try {
    await parse(ctx, async () => {});
  } catch (error) {
    return afterFault(ctx, error as ParserError, limit);
  }
  const { body, rawBody } = ctx.request as unknown as { body: unknown; rawBody: string };
  return rawBody === '' ? NO_BODY : { value: body, text: rawBody };
};

type ParserError = Error & { readonly status?: number; readonly type?: string; readonly body?: string };

const afterFault = async (ctx: Context, error: ParserError, limit: number): Promise<Body> => {
  if (error.type === 'entity.too.large') throw await tooLarge(ctx.req, limit);
  if (error.type === 'request.aborted' || error.type === 'request.size.invalid') throw endedEarly();
  // The parser refuses `__proto__` as if it were not JSON: it is, and validateBody.ts refuses it with a 422.
  if (error instanceof SyntaxError && typeof error.body === 'string') return reparsed(error.body);
  throw error;
};

const reparsed = (text: string): Body => {
  // Checked before JSON.parse, whose message quotes the body, which may contain a password.
  const fault = jsonFault(text);
  if (fault) throw notJson(`: in line ${fault.line}, column ${fault.column}, ${fault.expected} is expected`);
  return { value: JSON.parse(text), text };
};

const endedEarly = (): Problem => malformed([{ pointer: '', detail: 'The body ended early.' }]);

const notJson = (where = ''): Problem =>
  malformed([{ pointer: '', detail: `The body is not JSON in UTF-8${where}.` }]);

const tooLarge = async (req: IncomingMessage, limit: number): Promise<Problem> => {
  if (!req.headers.expect) await drain(req, DRAIN_MS, DRAIN_BYTES);
  return new Problem(
    'content-too-large',
    `A body takes at most ${limit} bytes. Files go to the upload addresses of a session.`,
    {
      headers: { Connection: 'close' },
    },
  );
};

const DRAIN_MS = 500;
const DRAIN_BYTES = 2 * 1024 * 1024;
