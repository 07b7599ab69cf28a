import type { IncomingMessage } from 'node:http';
import type { UnfinishedUpload } from '../port.ts';
import type { Signable } from '../sigv4.ts';
import { Refusal } from './answer.ts';
import { isExtension } from './extensions.ts';

/** A request as S3 reads it. `key`: empty for the bucket; `path`: decoded; header names in lower case. */
export type S3Request = Omit<Signable, 'signedHeaders' | 'payloadHash'> &
  Readonly<{ bucket: string; key: string }>;

/** A header that decides what is done must not be open to two readings. */
const DECISIVE = /^(host|authorization|range|expect|content-.*|x-amz-.*|if-.*|transfer-encoding)$/;

/** Reads a path-style request. Throws a `Refusal` for what could be read in two ways. */
export const readRequest = (raw: IncomingMessage): S3Request => {
  const target = raw.url ?? '';
  if (!target.startsWith('/')) throw new Refusal('InvalidURI', 'the request target must be a path');
  const mark = target.indexOf('?');
  const path = decode(mark < 0 ? target : target.slice(0, mark));
  const { bucket, key } = splitPath(path);
  const query = readQuery(mark < 0 ? '' : target.slice(mark + 1));
  return { method: raw.method ?? '', path, bucket, key, query, headers: readHeaders(raw) };
};

/** Bucket and key of a decoded path. Throws a `Refusal` for a key that S3 would not hold. */
export const splitPath = (path: string): { bucket: string; key: string } => {
  const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
  if (Buffer.byteLength(key) > 1024) throw new Refusal('KeyTooLongError', 'a key has at most 1024 bytes');
  if (/\p{Cc}/u.test(key)) throw new Refusal('InvalidURI', 'a key holds no control characters');
  return { bucket, key };
};

/** Percent-decodes UTF-8. Throws a `Refusal` where that is impossible. */
export const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal('InvalidURI', 'the address is not percent-encoded UTF-8');
  }
};

const readQuery = (text: string): ReadonlyMap<string, string> => {
  const query = new Map<string, string>();
  for (const pair of text.split('&').filter(Boolean)) {
    const [name = '', ...value] = pair.split('=');
    if (query.has(decode(name))) throw new Refusal('InvalidArgument', 'a query parameter is given twice');
    query.set(decode(name), decode(value.join('=')));
  }
  return query;
};

const readHeaders = (raw: IncomingMessage): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>();
  for (const [name, values = []] of Object.entries(raw.headersDistinct)) {
    if (values.length > 1 && DECISIVE.test(name))
      throw new Refusal('InvalidRequest', `the header ${name} is given twice`);
    headers.set(name, values.map((value) => value.trim().replace(/ +/g, ' ')).join(','));
  }
  return headers;
};

const MAX_PARTS = 10_000;

/** The part that a PUT brings, null for a PUT of a whole object. */
export const partOf = ({ key, query }: S3Request): (UnfinishedUpload & { partNumber: number }) | null => {
  const [uploadId, number] = [query.get('uploadId'), query.get('partNumber')];
  if (uploadId === undefined && number === undefined) return null;
  const partNumber = Number(/^[1-9]\d{0,4}$/.exec(number ?? '')?.[0] ?? Number.NaN);
  if (uploadId === undefined || !(partNumber <= MAX_PARTS))
    throw new Refusal('InvalidArgument', `a part has an uploadId and a partNumber from 1 to ${MAX_PARTS}`);
  return { key, uploadId, partNumber };
};

const QUERY = new Set([
  ...['X-Amz-Algorithm', 'X-Amz-Credential', 'X-Amz-Date', 'X-Amz-Expires', 'X-Amz-SignedHeaders'],
  ...['X-Amz-Signature', 'X-Amz-Content-Sha256', 'x-id'],
  ...['response-content-type', 'response-content-disposition'],
  ...['list-type', 'prefix', 'start-after', 'max-keys'],
  ...['uploads', 'uploadId', 'partNumber', 'part-number-marker', 'key-marker', 'max-uploads'],
]);
const HEADERS = new Set([
  ...['x-amz-date', 'x-amz-content-sha256', 'x-amz-user-agent'],
  // Each part is checked by what it is sent with.
  ...['x-amz-checksum-algorithm'],
  ...['x-amz-copy-source', 'x-amz-copy-source-if-match', 'x-amz-metadata-directive'],
]);
/** Checksums may be in a header or, hoisted by a presigner, in the query. */
const CHECKSUMS = /^x-amz-(checksum-(sha256|sha1|crc32|mode)|sdk-checksum-algorithm)$/;

/**
 * Throws `NotImplemented` for what would change the meaning of a request and isn't done here (versions,
 * access lists, metadata, encryption, aws-chunked bodies, conditional writes): better refused than half done.
 */
export const refuseUnsupported = (request: S3Request): void => {
  const unknown = [
    ...[...request.query.keys()].filter(
      (name) => !QUERY.has(name) && !CHECKSUMS.test(name) && !isExtension(name),
    ),
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
