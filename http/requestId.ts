import type { Fault } from '../domain/fault.ts';

const VALID = /^[\x20-\x7e]{1,128}$/;

/** The request's identifier, and what was wrong with the one that was sent (a fresh one stands in for it). */
type RequestId = Readonly<{ requestId: string; fault: Fault | null }>;

/** Takes the client's `X-Request-Id`, up to 128 printable characters, or makes one (contract, section 4). */
export const requestIdOf = (header: string | undefined, make: () => string): RequestId => {
  if (header === undefined || header === '') return { requestId: make(), fault: null };
  if (VALID.test(header)) return { requestId: header, fault: null };
  const detail = 'X-Request-Id must be at most 128 printable ASCII characters.';
  return { requestId: make(), fault: { pointer: '/headers/x-request-id', detail } };
};
