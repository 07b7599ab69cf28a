import type { Clock } from '../../../kernel/clock.ts';
import { canonicalPath, canonicalQuery, signature } from './sigv4.ts';

/** Signs URLs that name `baseUrl`, the address without a path that clients reach the endpoint at. */
export type Signer = Readonly<{
  baseUrl: string;
  bucket: string;
  region: string;
  credentials: Readonly<{ accessKeyId: string; secretAccessKey: string }>;
  clock: Clock;
}>;

type Signing = Readonly<{
  method: 'PUT' | 'GET';
  key: string;
  expiresInSeconds: number;
  query: Readonly<Record<string, string>>;
  /** Headers that the request must be sent with, by their names in lower case. */
  headers: Readonly<Record<string, string>>;
}>;

/** A presigned URL as S3 has them (Signature Version 4 in the query); the payload is not signed. */
export const presign = (signer: Signer, { method, key, expiresInSeconds, ...request }: Signing): string => {
  const { baseUrl, bucket, region, credentials } = signer;
  const url = new URL(baseUrl);
  const timestamp = signer.clock
    .now()
    .toISOString()
    .replace(/[-:]|\.\d+/g, '');
  const scope = { date: timestamp.slice(0, 8), region, service: 's3' };
  const headers = new Map(Object.entries({ ...request.headers, host: url.host }));
  const signedHeaders = [...headers.keys()].sort();
  const path = `/${bucket}/${key}`;
  const payloadHash = 'UNSIGNED-PAYLOAD';
  const query = new Map(
    Object.entries({
      ...request.query,
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': `${credentials.accessKeyId}/${scope.date}/${region}/s3/aws4_request`,
      'X-Amz-Content-Sha256': payloadHash,
      'X-Amz-Date': timestamp,
      'X-Amz-Expires': String(expiresInSeconds),
      'X-Amz-SignedHeaders': signedHeaders.join(';'),
    }),
  );
  const signable = { method, path, query, headers, signedHeaders, payloadHash };
  const signed = signature(credentials.secretAccessKey, scope, timestamp, signable);
  return `${url.origin}${canonicalPath(path)}?${canonicalQuery(query)}&X-Amz-Signature=${signed}`;
};

// Beyond S3: the query of an upload's URL carries its greatest size and the values of its signed headers.
const MAX_LENGTH = 'x-amz-meta-max-length';
const SIGNED = 'x-amz-meta-signed-';

/** Query parameters with the maximum size of an upload in bytes, and the values of the signed headers. */
export const uploadExtensions = (
  maxSize: number | undefined,
  signedHeaders: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => ({
  ...(maxSize !== undefined && { [MAX_LENGTH]: String(maxSize) }),
  ...Object.fromEntries(Object.entries(signedHeaders).map(([name, value]) => [SIGNED + name, value])),
});

/** Whether a query parameter is one of these. */
export const isExtension = (parameter: string): boolean =>
  parameter === MAX_LENGTH || parameter.startsWith(SIGNED);

/** The maximum size of an upload in bytes, infinite when its URL has none. */
export const maxLengthOf = (query: ReadonlyMap<string, string>): number =>
  Number(query.get(MAX_LENGTH) ?? Number.POSITIVE_INFINITY);

/** The headers that were signed, with their values, as far as the URL carries them. */
export const signedHeadersOf = (query: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(
    [...query]
      .filter(([name]) => name.startsWith(SIGNED))
      .map(([name, value]) => [name.slice(SIGNED.length), value]),
  );
