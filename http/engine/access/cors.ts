import type { Context } from '../koa.ts';
import { Problem } from '../problems/problem.ts';

/** Origins whose pages may call (ALLOWED_ORIGINS), each as a browser writes it. */
export type Origins = ReadonlySet<string>;

const MAX_AGE_S = 600;

/** Whether pages of other origins may call this path: only administrators use browsers (agent-3). */
export const isSharedWithPages = (path: string): boolean => /^\/api\/(auth|internal)\//.test(path);

/** Lets pages of listed origins read the answers of shared paths, problems too. */
export const shareWith =
  (origins: Origins) =>
  (ctx: Context, next: () => Promise<unknown>): Promise<unknown> => {
    const { origin } = ctx.req.headers;
    if (isSharedWithPages(ctx.path)) {
      ctx.res.setHeader('Vary', 'Origin');
      if (origin !== undefined && origins.has(origin)) {
        ctx.res.setHeader('Access-Control-Allow-Origin', origin);
        ctx.res.setHeader('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After');
        ctx.res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
      }
    }
    return next();
  };

/** Throws 403 for a page of an origin that is not listed (agent-2). Only browsers send an origin. */
export const requireOrigin = (ctx: Context, origins: Origins): void => {
  const { origin } = ctx.req.headers;
  if (origin !== undefined && isSharedWithPages(ctx.path) && !origins.has(origin))
    throw new Problem('origin-not-allowed');
};

/** Whether a request is a CORS preflight of a shared path. */
export const isPreflight = ({ method, path, req }: Context): boolean =>
  method === 'OPTIONS' &&
  isSharedWithPages(path) &&
  req.headers.origin !== undefined &&
  req.headers['access-control-request-method'] !== undefined;

/** Answers a preflight with a 204. Throws 403 for an origin that is not listed. */
export const answerPreflight = (ctx: Context, methods: readonly string[], origins: Origins): void => {
  requireOrigin(ctx, origins);
  ctx.set({
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Request-Id',
    'Access-Control-Max-Age': String(MAX_AGE_S),
  });
  ctx.status = 204;
};
