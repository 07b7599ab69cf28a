import { createHash, createHmac } from 'node:crypto';

/** What a signature covers. `path` is decoded, header names are in lower case. */
type Signable = Readonly<{
  method: string;
  path: string;
  query: ReadonlyMap<string, string>;
  headers: ReadonlyMap<string, string>;
  signedHeaders: readonly string[];
  payloadHash: string;
}>;

/** What a signing key is good for; `date` as YYYYMMDD. */
type Scope = Readonly<{ date: string; region: string; service: string }>;

/** AWS Signature Version 4 in hex; `timestamp` as YYYYMMDDTHHMMSSZ. As for S3, the path is encoded once. */
export const signature = (secret: string, scope: Scope, timestamp: string, request: Signable): string => {
  const text = [
    'AWS4-HMAC-SHA256',
    timestamp,
    `${scope.date}/${scope.region}/${scope.service}/aws4_request`,
    createHash('sha256').update(canonicalRequest(request)).digest('hex'),
  ].join('\n');
  return hmac(signingKey(secret, scope), text).toString('hex');
};

/** The text form of a request that both sides hash. */
const canonicalRequest = (request: Signable): string =>
  [
    request.method,
    canonicalPath(request.path),
    canonicalQuery(request.query),
    ...request.signedHeaders.map((name) => `${name}:${request.headers.get(name) ?? ''}`),
    '',
    request.signedHeaders.join(';'),
    request.payloadHash,
  ].join('\n');

/** A decoded path as a URL and its signature have it. */
export const canonicalPath = (path: string): string => path.split('/').map(encodeStrictly).join('/');

/** A decoded query likewise, without the signature itself. */
export const canonicalQuery = (query: ReadonlyMap<string, string>): string =>
  [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`)
    .sort()
    .join('&');

const encodeStrictly = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const signingKey = (secret: string, scope: Scope): Buffer =>
  [scope.date, scope.region, scope.service, 'aws4_request'].reduce(hmac, Buffer.from(`AWS4${secret}`));

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
