import type { Fault } from '../../kernel/fault.ts';

const VALID = /^[\x20-\x7e]{1,128}$/;
/** An API key or a session token, sent in the wrong header: it would go on into the log and the events. */
const SECRET = /(aok|ast)_[\w-]{20}/i;

/** The request's identifier, and what was wrong with the one that was sent (a fresh one stands in for it). */
type RequestId = Readonly<{ requestId: string; fault: Fault | null }>;

/** Takes the client's `X-Request-Id`, up to 128 printable characters and no key, or makes one (requests-5). */
export const requestIdOf = (header: string | undefined, make: () => string): RequestId => {
  if (header === undefined || header === '') return { requestId: make(), fault: null };
  const secret = SECRET.test(header);
  if (VALID.test(header) && !secret) return { requestId: header, fault: null };
  const detail = secret
    ? 'X-Request-Id must not hold a key or a token: it is logged.'
    : 'X-Request-Id must be at most 128 printable ASCII characters.';
  return { requestId: make(), fault: { pointer: '/headers/x-request-id', detail } };
};
