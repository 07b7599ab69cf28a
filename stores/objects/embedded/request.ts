import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal.ts';

/** A request as S3 reads it: `key` is empty when the bucket itself is meant; `path` decoded; header names in lower case. */
export type S3Request = Readonly<{
  method: string;
  path: string;
  bucket: string;
  key: string;
  query: ReadonlyMap<string, string>;
  headers: ReadonlyMap<string, string>;
}>;

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
