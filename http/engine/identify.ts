import type { Fault } from '../../kernel/fault.ts';
import type { Context } from './koa.ts';

/** On every answer: answers are private, are no pages, and belong to no other site. */
export const securityHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

const SECURITY = Object.entries(securityHeaders);

/** The outermost middleware: sets the request's identifier and state, and the headers of every answer. */
export const identify =
  (newRequestId: () => string) =>
  (ctx: Context, next: () => Promise<unknown>): Promise<unknown> => {
    const header = ctx.req.headers['x-request-id'];
    const { requestId, fault } = requestIdOf(Array.isArray(header) ? header.join() : header, newRequestId);
    ctx.state = {
      requestId,
      requestIdFault: fault,
      endpoint: null,
      template: null,
      keyId: null,
      userId: null,
    };
    ctx.res.setHeader('X-Request-Id', requestId);
    for (const [name, value] of SECURITY) ctx.res.setHeader(name, value);
    return next();
  };

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
