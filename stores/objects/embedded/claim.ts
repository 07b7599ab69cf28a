import { Refusal } from './refusal.ts';
import type { S3Request } from './request.ts';

/** The identity that a request claims, and its terms. `expiresInSeconds` is null for a signed header. */
export type Claim = Readonly<{
  accessKeyId: string;
  scope: Readonly<{ date: string; region: string; service: string }>;
  timestamp: string;
  expiresInSeconds: number | null;
  signedHeaders: readonly string[];
  signature: string;
  payloadHash: string;
}>;

const MAX_EXPIRY_SECONDS = 604_800;
const UNSIGNED = 'UNSIGNED-PAYLOAD';

/** The claim in the Authorization header or the query. Throws `AccessDenied` for anonymous requests. */
export const readClaim = (request: S3Request): Claim => {
  const inHeader = request.headers.has('authorization');
  const inQuery = ['X-Amz-Algorithm', 'X-Amz-Credential', 'X-Amz-Signature'].some((name) =>
    request.query.has(name),
  );
  if (inHeader && inQuery) throw new Refusal('InvalidArgument', 'only one way to authenticate is allowed');
  if (inQuery) return fromQuery(request);
  if (inHeader) return fromHeader(request);
  throw new Refusal('AccessDenied', 'anonymous access is not allowed');
};

const fromHeader = (request: S3Request): Claim => {
  const malformed = (what: string) => new Refusal('AuthorizationHeaderMalformed', what);
  const parts = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([^,]+)$/.exec(
    request.headers.get('authorization') ?? '',
  );
  const [, credential = '', signedHeaders = '', signature = ''] = parts ?? [];
  if (!parts) throw malformed('the Authorization header is not of AWS4-HMAC-SHA256');
  const payloadHash = request.headers.get('x-amz-content-sha256');
  if (!payloadHash) throw new Refusal('InvalidRequest', 'x-amz-content-sha256 is missing');
  return {
    ...readCredential(credential, malformed),
    timestamp: request.headers.get('x-amz-date') ?? '',
    expiresInSeconds: null,
    signedHeaders: signedHeaders.split(';'),
    signature,
    payloadHash,
  };
};

const fromQuery = (request: S3Request): Claim => {
  const malformed = (what: string) => new Refusal('AuthorizationQueryParametersError', what);
  const read = (name: string): string => request.query.get(name) ?? '';
  if (read('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') throw malformed('X-Amz-Algorithm is not known');
  const expires = Number(/^[1-9]\d{0,6}$/.exec(read('X-Amz-Expires'))?.[0] ?? Number.NaN);
  if (!(expires <= MAX_EXPIRY_SECONDS))
    throw malformed(`X-Amz-Expires is not a number from 1 to ${MAX_EXPIRY_SECONDS}`);
  return {
    ...readCredential(read('X-Amz-Credential'), malformed),
    timestamp: read('X-Amz-Date'),
    expiresInSeconds: expires,
    signedHeaders: read('X-Amz-SignedHeaders').split(';'),
    signature: read('X-Amz-Signature'),
    payloadHash:
      request.headers.get('x-amz-content-sha256') ?? request.query.get('X-Amz-Content-Sha256') ?? UNSIGNED,
  };
};

const readCredential = (text: string, malformed: (what: string) => Refusal) => {
  const parts = /^(.+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request$/.exec(text);
  if (!parts) throw malformed('the credential is not KEY/DATE/REGION/SERVICE/aws4_request');
  const [, accessKeyId = '', date = '', region = '', service = ''] = parts;
  return { accessKeyId, scope: { date, region, service } };
};
