import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../koa.ts';
import { Problem } from '../problems/problem.ts';
import type { Answer } from '../route.ts';

/** Origins whose pages may call (ALLOWED_ORIGINS), each as a browser writes it. */
export type Origins = ReadonlySet<string>;

const MAX_AGE_S = 600;

/** Whether pages of other origins may call this path, by session token (agent-3). */
export const isSharedWithPages = (path: string): boolean => /^\/api\/(auth|internal)\//.test(path);

/** Headers by which pages of listed origins can read the answers of a shared path, problems too. */
export const sharing = (origin: string | undefined, origins: Origins): Readonly<Record<string, string>> => ({
  Vary: 'Origin',
  ...(origin === undefined || !origins.has(origin)
    ? {}
    : {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      }),
});

/**
 * Throws 403 for a page of an origin that is neither the service's own nor listed (agent-2). Only browsers
 * send an origin, and no page can set what its browser says of it in `Sec-Fetch-Site`.
 */
export const requireOrigin = (ctx: Context, origins: Origins): void => {
  const { origin, 'sec-fetch-site': site } = ctx.req.headers;
  if (origin === undefined || site === 'same-origin' || !isSharedWithPages(ctx.state.path)) return;
  if (!origins.has(origin)) throw new Problem('origin-not-allowed');
};

/**
 * Throws 403 for a request that a page of another origin caused, listed or not: cookies are accepted from the
 * service's own pages and from programs (people-3).
 */
export const requireOwnPage = ({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): void => {
  // Browsers that send no `Sec-Fetch-Site` still send an `Origin` with each change.
  const isOwn = site === undefined ? origin === undefined : site === 'same-origin' || site === 'none';
  if (!isOwn)
    throw new Problem('origin-not-allowed', 'A cookie is accepted from pages of this service alone.');
};

/** Whether a request is a CORS preflight of a shared path. */
export const isPreflight = ({ method, state, req }: Context): boolean =>
  method === 'OPTIONS' &&
  isSharedWithPages(state.path) &&
  req.headers.origin !== undefined &&
  req.headers['access-control-request-method'] !== undefined;

/** The answer to a preflight. Throws 403 for an origin that is not listed. */
export const answerPreflight = (ctx: Context, methods: readonly string[], origins: Origins): Answer => {
  requireOrigin(ctx, origins);
  const headers = {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, X-Request-Id, traceparent, tracestate, Intake-Company, Intake-Mode',
    'Access-Control-Max-Age': String(MAX_AGE_S),
  };
  return { status: 204, body: null, headers };
};
