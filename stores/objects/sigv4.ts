import { createHmac, hash } from 'node:crypto';

/** The only algorithm. */
export const ALGORITHM = 'AWS4-HMAC-SHA256';

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
export type Scope = Readonly<{ date: string; region: string; service: string }>;

/** AWS Signature Version 4 in hex; `timestamp` as YYYYMMDDTHHMMSSZ. As for S3, the path is encoded once. */
export const signature = (secret: string, scope: Scope, timestamp: string, request: Signable): string =>
  signText(signingKey(secret, scope), stringToSign(scope, timestamp, canonicalRequest(request)));

/** What is signed of a request in its canonical form. */
export const stringToSign = (scope: Scope, timestamp: string, canonical: string): string =>
  `${ALGORITHM}\n${timestamp}\n${scopeText(scope)}\n${hash('sha256', canonical, 'hex')}`;

/** A signature in hex, by the key of its scope. */
export const signText = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('hex');

/** A scope as a credential names it. */
export const scopeText = ({ date, region, service }: Scope): string =>
  `${date}/${region}/${service}/aws4_request`;

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
export const canonicalPath = (path: string): string =>
  PLAIN_PATH.test(path) ? path : encodeStrictly(path).replaceAll('%2F', '/');

/** A decoded query likewise, without the signature itself. */
export const canonicalQuery = (query: ReadonlyMap<string, string>): string =>
  [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`)
    .sort()
    .join('&');

/** Percent-encodes all but letters, digits and `-._~`. */
export const encodeStrictly = (text: string): string =>
  PLAIN.test(text)
    ? text
    : encodeURIComponent(text).replace(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      );

const PLAIN_PATH = /^[\w.~/-]*$/;
const PLAIN = /^[\w.~-]*$/;

/** The key that signs in a scope; to derive it costs four times a signature. */
export const signingKey = (secret: string, scope: Scope): Buffer =>
  [scope.date, scope.region, scope.service, 'aws4_request'].reduce(hmac, Buffer.from(`AWS4${secret}`));

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
