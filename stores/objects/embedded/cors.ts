import type { Answer } from './answer.ts';

/** Sent with every answer. Any origin may ask: what counts is the signature in the URL, never a cookie. */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Content-Range, Content-Disposition, x-amz-request-id',
} as const;

const ALLOWED = [
  ...['content-type', 'content-length', 'content-md5', 'range', 'if-match', 'if-none-match'],
  ...['x-amz-checksum-sha256', 'x-amz-checksum-sha1', 'x-amz-checksum-crc32', 'x-amz-content-sha256'],
];

/** The answer to a browser that asks whether a page may send a signed request. */
export const PREFLIGHT: Answer = {
  status: 204,
  headers: {
    'Access-Control-Allow-Methods': 'GET, HEAD, PUT',
    'Access-Control-Allow-Headers': ALLOWED.join(', '),
    'Access-Control-Max-Age': '3600',
  },
};
