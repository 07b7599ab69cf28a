import type { IncomingMessage } from 'node:http';
import { type Answer, Refusal } from './answer.ts';

/**
 * Origins whose pages may use the endpoint; all where none is listed: the signature of a request gives
 * access, never a cookie.
 */
export type Origins = ReadonlySet<string>;

/** Throws a `Refusal` for a page of an origin that is not listed. Only browsers send an origin. */
export const checkOrigin = ({ headers: { origin } }: IncomingMessage, origins: Origins): void => {
  if (origin !== undefined && origins.size > 0 && !origins.has(origin))
    throw new Refusal('AccessForbidden', `pages of ${origin} are not allowed: see STORAGE_ORIGINS`);
};

/** Headers by which pages of allowed origins can read an answer. */
export const sharing = (
  { headers: { origin } }: IncomingMessage,
  origins: Origins,
): Readonly<Record<string, string>> => {
  if (origins.size === 0) return { 'Access-Control-Allow-Origin': '*', ...EXPOSED };
  const isListed = origin !== undefined && origins.has(origin);
  return { Vary: 'Origin', ...(isListed && { 'Access-Control-Allow-Origin': origin, ...EXPOSED }) };
};

const EXPOSED = {
  'Access-Control-Expose-Headers': 'ETag, Content-Range, Content-Disposition, x-amz-request-id',
} as const;

const ALLOWED = [
  ...['content-type', 'content-length', 'content-md5', 'range', 'if-match', 'if-none-match'],
  ...['x-amz-checksum-sha256', 'x-amz-checksum-sha1', 'x-amz-checksum-crc32', 'x-amz-content-sha256'],
];

/** The answer to a preflight request of CORS. */
export const PREFLIGHT: Answer = {
  status: 204,
  headers: {
    'Access-Control-Allow-Methods': 'GET, HEAD, PUT, POST',
    'Access-Control-Allow-Headers': ALLOWED.join(', '),
    'Access-Control-Max-Age': '3600',
  },
};
