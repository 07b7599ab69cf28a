import { Refusal } from './refusal.ts';
import type { S3Request } from './request.ts';
import { isTerm } from './terms.ts';

const QUERY = new Set([
  ...['X-Amz-Algorithm', 'X-Amz-Credential', 'X-Amz-Date', 'X-Amz-Expires', 'X-Amz-SignedHeaders'],
  ...['X-Amz-Signature', 'X-Amz-Content-Sha256', 'x-id'],
  ...['response-content-type', 'response-content-disposition'],
  ...['list-type', 'prefix', 'start-after', 'max-keys'],
]);
const HEADERS = new Set([
  ...['x-amz-date', 'x-amz-content-sha256', 'x-amz-user-agent'],
  ...['x-amz-copy-source', 'x-amz-copy-source-if-match', 'x-amz-metadata-directive'],
]);
/** Checksums may stand in a header or, hoisted by a presigner, in the query. */
const CHECKSUMS = /^x-amz-(checksum-(sha256|sha1|crc32|mode)|sdk-checksum-algorithm)$/;

/**
 * Throws `NotImplemented` for what would change the meaning of a request and isn't done here (versions, access lists, metadata,
 * encryption, aws-chunked bodies, conditional writes): better refused than half done.
 */
export const understood = (request: S3Request): void => {
  const unknown = [
    ...[...request.query.keys()].filter((name) => !QUERY.has(name) && !CHECKSUMS.test(name) && !isTerm(name)),
    ...[...request.headers.keys()].filter(
      (name) => name.startsWith('x-amz-') && !HEADERS.has(name) && !CHECKSUMS.test(name),
    ),
    ...(request.method === 'PUT' ? ['if-match', 'if-none-match', 'content-encoding'] : []).filter((name) =>
      request.headers.has(name),
    ),
  ];
  if (unknown.length > 0) throw new Refusal('NotImplemented', `not done here: ${unknown.join(', ')}`);
  if (request.headers.get('x-amz-content-sha256')?.startsWith('STREAMING-'))
    throw new Refusal('NotImplemented', 'bodies in signed chunks are not taken: sign the whole payload');
};
