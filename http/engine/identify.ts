import type { Fault } from '../../kernel/fault.ts';
import { isSharedWithPages, type Origins, sharing } from './access/cors.ts';
import type { Context, State } from './koa.ts';
import { hasBody } from './request/body.ts';
import { setHeaders } from './send.ts';

const STRICT = { 'Strict-Transport-Security': 'max-age=31536000' } as const;

/**
 * On every answer: answers are private, are no pages, and belong to no other site. Where browsers reach the
 * service by https they use nothing else for a year; other hosts of the domain are none of the service's.
 */
export const securityHeadersOf = (publicUrl: string | null): Readonly<Record<string, string>> => ({
  ...(publicUrl?.startsWith('https:') && STRICT),
  ...securityHeaders,
});

const securityHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Gives a request its identifier, its state, and the headers of every answer. */
export const identify = (ctx: Context, { origins, security, newRequestId }: Identifying): State => {
  const { req, res } = ctx;
  const { origin, 'x-request-id': header } = req.headers;
  const { requestId, fault } = requestIdOf(Array.isArray(header) ? header.join() : header, newRequestId);
  const headers = ['X-Request-Id', requestId, ...security];
  const path = pathOf(ctx);
  const own = { endpoint: null, route: null, template: null, keyId: null, userId: null, span: null };
  ctx.state = { requestId, requestIdFault: fault, path, headers, ...own };
  if (isSharedWithPages(path)) setHeaders(ctx, sharing(origin, origins));
  // What arrives incompletely is refused with the same identifier (server/refusals.ts).
  if (hasBody(req)) res.setHeader('X-Request-Id', requestId);
  return ctx.state;
};

/** The path of a request's target; empty for a target that has none, such as `http://[::1/`. */
const pathOf = (ctx: Context): string => {
  try {
    return ctx.path ?? '';
  } catch {
    return '';
  }
};

/** `security`: names and values of the headers of every answer, in turn. */
type Identifying = Readonly<{ origins: Origins; security: readonly string[]; newRequestId(): string }>;

const VALID = /^[\x20-\x7e]{1,128}$/;
/** An API key or a session token in the wrong header: it would be copied into the log and the events. */
const SECRET = /(aok|ast)_[\w-]{20}/i;

/** `fault` is that of the identifier that was sent, which a new one replaces. */
type RequestId = Readonly<{ requestId: string; fault: Fault | null }>;

/** The client's `X-Request-Id`, up to 128 printable characters and no key, or a new one (requests-5). */
const requestIdOf = (header: string | undefined, make: () => string): RequestId => {
  if (header === undefined || header === '') return { requestId: make(), fault: null };
  const secret = SECRET.test(header);
  if (VALID.test(header) && !secret) return { requestId: header, fault: null };
  const detail = secret
    ? 'X-Request-Id must not hold a key or a token: it is logged.'
    : 'X-Request-Id must be at most 128 printable ASCII characters.';
  return { requestId: make(), fault: { pointer: '/headers/x-request-id', detail } };
};
