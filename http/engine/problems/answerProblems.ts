import type { IncomingMessage } from 'node:http';
import type { Context } from '../koa.ts';
import type { Observer } from '../observer.ts';
import { Problem, problemBody, problemOf } from './problem.ts';

/**
 * The middleware around all that may fail: every error becomes a problem, so that Koa's own plain-text error
 * path is never reached, and the observer gets every request.
 */
export const answerProblems =
  (observer: Observer, unavailableParts: () => readonly string[]) =>
  async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    const started = performance.now();
    try {
      requireHttp1(ctx.req);
      await next();
    } catch (error) {
      const problem = problemOf(error, unavailableParts());
      if (problem.status >= 500 && error !== problem) observer.failed(error, ctx.state.requestId);
      answer(ctx, problem);
    }
    const { requestId, endpoint, template, keyId, userId } = ctx.state;
    const durationMs = performance.now() - started;
    const { method, status } = ctx;
    const path = template ?? ctx.path;
    observer.answered({ requestId, method, path, endpoint, keyId, userId, status, durationMs });
  };

const answer = (ctx: Context, problem: Problem): void => {
  // Without 100 Continue a client may send its body or not: what follows can't be told from the next request.
  if (ctx.req.headers.expect && !ctx.req.complete) ctx.set('Connection', 'close');
  ctx.set(problem.headers);
  ctx.status = problem.status;
  ctx.type = 'application/problem+json';
  ctx.body = problemBody(problem, ctx.state.requestId, ctx.path);
};

/** A name or an address, perhaps empty, and perhaps a port (RFC 3986, 3.2.2). */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * HTTP/1.1 requires exactly one valid Host header, since the two ends of a proxy may read none, two or an odd
 * one differently (RFC 9112, 3.2). HTTP/1.0 may have none; Node would serve 0.9 too.
 */
const requireHttp1 = ({ headers, rawHeaders, httpVersion }: IncomingMessage): void => {
  let hosts = 0;
  for (let n = 0; n < rawHeaders.length; n += 2)
    if (rawHeaders[n]?.length === 4 && rawHeaders[n]?.toLowerCase() === 'host') hosts += 1;
  const counted = httpVersion === '1.1' ? hosts === 1 : httpVersion === '1.0' && hosts < 2;
  if (counted && HOST.test(headers.host ?? '')) return;
  throw new Problem('malformed-request', 'Speak HTTP/1.1, with exactly one valid Host header.', {
    headers: { Connection: 'close' },
  });
};
