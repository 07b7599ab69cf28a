import { createHmac, hash } from 'node:crypto';

/** The only algorithm. */
export const ALGORITHM = 'AWS4-HMAC-SHA256';

/** What a signature covers. `path` is decoded, header names are in lower case. */
export type Signable = Readonly<{
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
export const signature = (sign: SignText, scope: Scope, timestamp: string, request: Signable): string =>
  sign(stringToSign(scope, timestamp, canonicalRequest(request)));

/** What is signed of a request in its canonical form. */
export const stringToSign = (scope: Scope, timestamp: string, canonical: string): string =>
  `${ALGORITHM}\n${timestamp}\n${scopeText(scope)}\n${hash('sha256', canonical, 'hex')}`;

/** Gives the signature of a text in hex. */
export type SignText = (text: string) => string;

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;

/**
 * Signs with HMAC-SHA256, made of two hashes (RFC 2104): the object of `createHmac` costs more than both. The
 * key has at most 64 bytes.
 */
export const textSigner = (key: Uint8Array): SignText => {
  const inner = Buffer.alloc(BLOCK_BYTES, 0x36);
  const outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES, 0x5c);
  for (const [index, byte] of key.entries()) {
    inner[index] = byte ^ 0x36;
    outer[index] = byte ^ 0x5c;
  }
  let input = inner;
  return (text) => {
    const length = BLOCK_BYTES + Buffer.byteLength(text);
    if (input.length !== length) input = Buffer.concat([inner], length); // those of one scope are as long
    input.write(text, BLOCK_BYTES);
    outer.write(hash('sha256', input, 'binary'), BLOCK_BYTES, 'binary');
    return hash('sha256', outer, 'hex');
  };
};

/** `make`, which gives what it made last for as long as it is asked for the same. */
export const keepLast = <A extends readonly unknown[], V>(make: (...of: A) => V): ((...of: A) => V) => {
  let last: Readonly<{ of: A; made: V }> | null = null;
  return (...of) => {
    let isSame = last !== null;
    for (let index = 0; isSame && index < of.length; index += 1) isSame = last?.of[index] === of[index];
    if (!last || !isSame) last = { of, made: make(...of) };
    return last.made;
  };
};

/** Gives what signs in a scope. Keeps the last: to derive its key costs four signatures. */
export const keepSigner = () =>
  keepLast((secret: string, date: string, region: string, service: string) =>
    textSigner(signingKey(secret, { date, region, service })),
  );

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
    : encodeURIComponent(text).replace(/[!'()*]/g, (character) => LEFT_OUT[character] ?? '');

/** What `encodeURIComponent` leaves as it is. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  ...{ '!': '%21', "'": '%27', '(': '%28', ')': '%29', '*': '%2A' },
};

const PLAIN_PATH = /^[\w.~/-]*$/;
const PLAIN = /^[\w.~-]*$/;

/** The key that signs in a scope. */
export const signingKey = (secret: string, scope: Scope): Buffer =>
  [scope.date, scope.region, scope.service, 'aws4_request'].reduce(hmac, Buffer.from(`AWS4${secret}`));

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
