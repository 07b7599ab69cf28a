import {
  ALGORITHM,
  canonicalPath,
  encodeStrictly,
  keepLast,
  type Scope,
  scopeText,
  signingKey,
  stringToSign,
  textSigner,
} from './sigv4.ts';

/** `sessionToken`: of credentials that rotate. */
export type Credentials = Readonly<{
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}>;

/** Who signs, and when. */
export type Signing = Readonly<{ credentials: Credentials; now: Date }>;

/** A request to sign. */
export type Request = Readonly<{
  method: 'PUT' | 'GET';
  key: string;
  expiresInSeconds: number;
  /** Parameters in the order of their names, which are in lower case: they come after the signature's own. */
  query: readonly (readonly [name: string, value: string])[];
  /** Headers that the request must be sent with, in the order of their names, which are in lower case. */
  headers: Readonly<Record<string, string>>;
}>;

/** The object that a form writes. Sizes in bytes; without a `Content-Type` in `fields` the type is free. */
export type Form = Readonly<{
  bucket: string;
  key: string;
  minSize: number;
  maxSize: number;
  expiresInSeconds: number;
  fields: Readonly<Record<string, string>>;
}>;

/**
 * Signs as S3 has it (Signature Version 4), without the payload. `baseUrl`: what clients send the keys of the
 * bucket to, with its last slash. The signing key is kept for as long as day and credentials are the same.
 */
export const createPresigner = (baseUrl: string, region: string) => {
  const { origin, host, pathname } = new URL(baseUrl);
  const keyOf = keepKey(region);
  const timestampOf = keepTimestamp();
  const signingAt = ({ credentials, now }: Signing) => {
    const timestamp = timestampOf(Math.floor(now.getTime() / 1_000));
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    return { timestamp, token: sessionToken, by: keyOf(accessKeyId, secretAccessKey, timestamp.slice(0, 8)) };
  };
  /** A presigned URL. */
  const url = (signing: Signing, { method, key, expiresInSeconds, query, headers }: Request) => {
    const { timestamp, token, by } = signingAt(signing);
    const { names, encoded, lines } = withHost(headers, host);
    let params = `${by.head}${timestamp}&X-Amz-Expires=${expiresInSeconds}`;
    if (token !== undefined) params += `&X-Amz-Security-Token=${encodeStrictly(token)}`;
    params += `&X-Amz-SignedHeaders=${encoded}`;
    for (const [name, value] of query) params += `&${name}=${encodeStrictly(value)}`;
    const path = pathname + canonicalPath(key);
    const canonical = `${method}\n${path}\n${params}\n${lines}\n${names}\n${UNSIGNED}`;
    const signature = by.sign(stringToSign(by.scope, timestamp, canonical));
    return `${origin}${path}?${params}&X-Amz-Signature=${signature}`;
  };
  /** The fields of a form: its policy states the sizes and every field. */
  const form = (signing: Signing, { bucket, key, minSize, maxSize, expiresInSeconds, ...more }: Form) => {
    const { timestamp, token, by } = signingAt(signing);
    const fields: Readonly<Record<string, string>> = {
      ...more.fields,
      ...{ bucket, 'X-Amz-Algorithm': ALGORITHM, 'X-Amz-Credential': by.credential, 'X-Amz-Date': timestamp },
      ...(token === undefined ? {} : { 'X-Amz-Security-Token': token }),
      key,
    };
    const expiration = new Date(signing.now.getTime() + expiresInSeconds * 1_000).toISOString();
    const isTyped = 'Content-Type' in fields;
    const free = [
      ['content-length-range', minSize, maxSize],
      ...(isTyped ? [] : [['starts-with', '$Content-Type', '']]),
    ];
    const conditions = [...free, ...Object.entries(fields).map(([name, value]) => ({ [name]: value }))];
    const Policy = Buffer.from(JSON.stringify({ expiration, conditions })).toString('base64');
    const typed = isTyped ? {} : { 'Content-Type': UNKNOWN_TYPE };
    return { ...fields, ...typed, Policy, 'X-Amz-Signature': by.sign(Policy) };
  };
  return { url, form };
};

/** The store's own type for a file of unknown type; a client replaces it by the actual one. */
const UNKNOWN_TYPE = 'application/octet-stream';

const UNSIGNED = 'UNSIGNED-PAYLOAD';

/** The headers in their canonical form, and their names, also as a query has them. */
const withHost = (headers: Request['headers'], host: string) => {
  const before = { names: '', encoded: '', lines: '' };
  const after = { names: '', encoded: '', lines: '' };
  for (const name of Object.keys(headers)) {
    const isBefore = name < 'host';
    const part = isBefore ? before : after;
    part.names += isBefore ? `${name};` : `;${name}`;
    // `replaceAll` would take a quarter of all the time that a URL needs.
    part.encoded += isBefore ? `${name}%3B` : `%3B${name}`;
    part.lines += `${name}:${headers[name]}\n`;
  }
  return {
    names: `${before.names}host${after.names}`,
    encoded: `${before.encoded}host${after.encoded}`,
    lines: `${before.lines}host:${host}\n${after.lines}`,
  };
};

/** Derives the key of a day and its credentials. `head`: how each query begins. */
const keepKey = (region: string) =>
  keepLast((accessKeyId: string, secretAccessKey: string, date: string) => {
    const scope: Scope = { date, region, service: 's3' };
    const credential = `${accessKeyId}/${scopeText(scope)}`;
    const named = `X-Amz-Content-Sha256=${UNSIGNED}&X-Amz-Credential=${encodeStrictly(credential)}`;
    const head = `X-Amz-Algorithm=${ALGORITHM}&${named}&X-Amz-Date=`;
    return { scope, credential, head, sign: textSigner(signingKey(secretAccessKey, scope)) };
  });

/** A time as YYYYMMDDTHHMMSSZ, of its second. */
const keepTimestamp = () =>
  keepLast((second: number) => new Date(second * 1_000).toISOString().replace(/[-:]|\.\d+/g, ''));
