import {
  ALGORITHM,
  canonicalPath,
  encodeStrictly,
  type Scope,
  scopeText,
  signingKey,
  signText,
  stringToSign,
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
  /** Names in lower case, which come behind those of the signature in the canonical order. */
  query: Readonly<Record<string, string>>;
  /** Headers that the request must be sent with, by their names in lower case. */
  headers: Readonly<Record<string, string>>;
}>;

/** The object that a form writes. Sizes in bytes. */
export type Form = Readonly<{
  bucket: string;
  key: string;
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
  /** A presigned URL. */
  const url = ({ credentials, now }: Signing, { method, key, expiresInSeconds, ...request }: Request) => {
    const timestamp = timestampOf(now);
    const { signingKey, scope, credential } = keyOf(credentials, timestamp.slice(0, 8));
    const headers = Object.entries({ ...request.headers, host }).sort(byName);
    const signedHeaders = headers.map(([name]) => name).join(';');
    const token = credentials.sessionToken;
    const query = [
      `X-Amz-Algorithm=${ALGORITHM}&X-Amz-Content-Sha256=${UNSIGNED}`,
      `X-Amz-Credential=${encodeStrictly(credential)}&X-Amz-Date=${timestamp}`,
      `X-Amz-Expires=${expiresInSeconds}`,
      ...(token === undefined ? [] : [`X-Amz-Security-Token=${encodeStrictly(token)}`]),
      `X-Amz-SignedHeaders=${encodeStrictly(signedHeaders)}`,
      ...Object.entries(request.query).map(encodedPair).sort(),
    ].join('&');
    const path = pathname + canonicalPath(key);
    const lines = headers.map(([name, value]) => `${name}:${value}\n`).join('');
    const canonical = `${method}\n${path}\n${query}\n${lines}\n${signedHeaders}\n${UNSIGNED}`;
    const signature = signText(signingKey, stringToSign(scope, timestamp, canonical));
    return `${origin}${path}?${query}&X-Amz-Signature=${signature}`;
  };
  /** The fields of a form: its policy states the maximum size and every field; the media type is free. */
  const form = ({ credentials, now }: Signing, { bucket, key, maxSize, expiresInSeconds, ...more }: Form) => {
    const timestamp = timestampOf(now);
    const { signingKey, credential } = keyOf(credentials, timestamp.slice(0, 8));
    const token = credentials.sessionToken;
    const fields: Readonly<Record<string, string>> = {
      ...more.fields,
      ...{ bucket, 'X-Amz-Algorithm': ALGORITHM, 'X-Amz-Credential': credential, 'X-Amz-Date': timestamp },
      ...(token === undefined ? {} : { 'X-Amz-Security-Token': token }),
      key,
    };
    const expiration = new Date(now.getTime() + expiresInSeconds * 1_000).toISOString();
    const free = [
      ['content-length-range', 0, maxSize],
      ['starts-with', '$Content-Type', ''],
    ];
    const conditions = [...free, ...Object.entries(fields).map(([name, value]) => ({ [name]: value }))];
    const Policy = Buffer.from(JSON.stringify({ expiration, conditions })).toString('base64');
    return { ...fields, Policy, 'X-Amz-Signature': signText(signingKey, Policy) };
  };
  return { url, form };
};

const UNSIGNED = 'UNSIGNED-PAYLOAD';

/** Derives the key of a day and its credentials, and keeps the last. */
const keepKey = (region: string) => {
  const derive = ({ accessKeyId, secretAccessKey }: Credentials, date: string) => {
    const scope: Scope = { date, region, service: 's3' };
    const credential = `${accessKeyId}/${scopeText(scope)}`;
    return { secretAccessKey, scope, credential, signingKey: signingKey(secretAccessKey, scope) };
  };
  let last: (ReturnType<typeof derive> & Readonly<{ accessKeyId: string }>) | null = null;
  return (credentials: Credentials, date: string) => {
    const { accessKeyId, secretAccessKey } = credentials;
    if (
      last?.scope.date !== date ||
      last.accessKeyId !== accessKeyId ||
      last.secretAccessKey !== secretAccessKey
    )
      last = { ...derive(credentials, date), accessKeyId };
    return last;
  };
};

/** As YYYYMMDDTHHMMSSZ. */
const timestampOf = (now: Date): string => now.toISOString().replace(/[-:]|\.\d+/g, '');

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]): number => (a < b ? -1 : 1);

const encodedPair = ([name, value]: readonly [string, string]): string =>
  `${encodeStrictly(name)}=${encodeStrictly(value)}`;
