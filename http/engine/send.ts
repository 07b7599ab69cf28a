import { validateHeaderValue } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { compressed, isCompressible, isWorthIt } from './compress.ts';
import type { Context } from './koa.ts';
import { type Problem, problemBody } from './problems/problem.ts';
import { isUnmodified } from './request/preconditions.ts';
import type { Answer, Endpoint, Headers } from './route.ts';

const ENCODING = 'Accept-Encoding';
const JSON_MEDIA = 'application/json; charset=utf-8';

/**
 * Sends an answer, or 304 to a client that has it already. A body that is a stream is sent when it resolves;
 * throws the stream's error, after which the connection is broken: what was cut off must not look whole.
 */
export const send = (
  ctx: Context,
  answer: Answer,
  own: Endpoint['media'] = JSON_MEDIA,
): void | Promise<void> => {
  const { status, body, headers } = answer;
  const media = answer.media ?? (typeof own === 'string' ? own : (own[0] ?? JSON_MEDIA));
  setHeaders(ctx, headers);
  const isKnown = isUnmodified(ctx.req, headers?.ETag as string | undefined);
  if (body instanceof Readable && !isKnown) return stream(ctx, status, body, media);
  // A file varies by it already: its form was chosen with it.
  const varies = [headers?.Vary ?? []].flat();
  const mayCompress = !varies.some((one) => one.includes(ENCODING)) && isCompressible(ctx, media);
  if (mayCompress) setHeader(ctx.state.headers, 'Vary', [...varies, ENCODING].join(', '));
  if (isKnown) return finish(ctx, 304);
  if (body === null || body === undefined) return finish(ctx, status);
  const isReady = Buffer.isBuffer(body) || media !== JSON_MEDIA;
  const content = isReady ? (body as Buffer | string) : JSON.stringify(body);
  return mayCompress ? finishCompressed(ctx, status, content, media) : finish(ctx, status, content, media);
};

/** Sends a problem as application/problem+json. */
export const sendProblem = (ctx: Context, problem: Problem): void | Promise<void> => {
  const { state, req } = ctx;
  // Without 100 Continue a client may send its body or not: what follows can't be told from the next request.
  if (req.headers.expect && !req.complete) setHeader(state.headers, 'Connection', 'close');
  setHeaders(ctx, problem.headers);
  const body = problemBody(problem, state.requestId, state.path);
  const media = 'application/problem+json';
  if (!isCompressible(ctx, media)) return finish(ctx, problem.status, body, media);
  setHeader(state.headers, 'Vary', ENCODING);
  return finishCompressed(ctx, problem.status, body, media);
};

/** Sets headers of the answer, in the place of earlier ones of these names. */
export const setHeaders = ({ state }: Context, headers: Headers = {}): void => {
  for (const name in headers) {
    const value: string | readonly string[] = headers[name] ?? '';
    // One that can't be sent must not stay for the problem.
    for (const one of [value].flat()) validateHeaderValue(name, one);
    setHeader(state.headers, name, typeof value === 'string' ? value : [...value]);
  }
};

const setHeader = (headers: (string | string[])[], name: string, value: string | string[]): void => {
  let at = 0;
  while (at < headers.length && headers[at] !== name) at += 2;
  headers[at] = name;
  headers[at + 1] = value;
};

const stream = async (ctx: Context, status: number, body: Readable, media: string): Promise<void> => {
  const { res, state } = ctx;
  ctx.respond = false;
  setHeader(state.headers, 'Content-Type', media);
  res.writeHead(status, state.headers);
  if (ctx.method !== 'HEAD') return pipeline(body, res);
  body.destroy();
  res.end();
};

/**
 * The entity tag stays as it is: that of a submission names its revision, not these bytes, and a weak one
 * would match no `If-Match` (conditions-2).
 */
const finishCompressed = (
  ctx: Context,
  status: number,
  content: Buffer | string,
  media: string,
): void | Promise<void> => {
  if (!isWorthIt(ctx, Buffer.byteLength(content))) return finish(ctx, status, content, media);
  return compressed(content).then((bytes) => {
    setHeader(ctx.state.headers, 'Content-Encoding', 'gzip');
    finish(ctx, status, bytes, media);
  });
};

/** Koa would set each header alone, look at what it set, and then send the same. */
const finish = (ctx: Context, status: number, content?: Buffer | string, media = ''): void => {
  const { res, state } = ctx;
  ctx.respond = false;
  if (content !== undefined) {
    setHeader(state.headers, 'Content-Type', media);
    setHeader(state.headers, 'Content-Length', String(Buffer.byteLength(content)));
  }
  res.writeHead(status, state.headers).end(content);
};
