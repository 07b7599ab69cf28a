import { timingSafeEqual } from 'node:crypto';
import { type keepSigner, signature } from '../sigv4.ts';
import { Refusal } from './answer.ts';
import { signedHeadersOf } from './extensions.ts';
import type { S3Request } from './request.ts';

/**
 * The one identity. `publicHost`: what clients sign when a proxy replaces the Host header; `signerOf` keeps
 * the day's signing key.
 */
export type Identity = Readonly<{
  credentials: Readonly<{ accessKeyId: string; secretAccessKey: string }>;
  region: string;
  publicHost: string | null;
  signerOf: ReturnType<typeof keepSigner>;
}>;

/** The identity that a request claims, and its terms. `expiresInSeconds` is null for a signed header. */
type Claim = Readonly<ReturnType<typeof fromHeader | typeof fromQuery>>;

type Terms = Pick<Claim, 'accessKeyId' | 'scope' | 'timestamp' | 'expiresInSeconds'>;

const SKEW_MS = 15 * 60_000;
const MAX_EXPIRY_SECONDS = 604_800;

/**
 * Verifies a request's signature and terms as S3 does and returns the payload hash that was signed. Throws a
 * `Refusal` for all that is not exactly what the holder of the secret signed, within its time.
 */
export const authenticate = (request: S3Request, identity: Identity, now: Date): string => {
  const claim = readClaim(request);
  checkTerms(claim, identity, now);
  checkSignedHeaders(request, claim);
  const hosts = [request.headers.get('host') ?? '', identity.publicHost].filter((host) => host !== null);
  const isSigned = (one: S3Request): boolean => hosts.some((host) => isSignedFor(one, claim, identity, host));
  if (!isSigned(request)) throw new Refusal('SignatureDoesNotMatch', mismatchOf(request, isSigned));
  return claim.payloadHash;
};

/**
 * Checks who claims to have signed, for which scope, and that its time has come and is not over. Throws a
 * `Refusal`.
 */
export const checkTerms = (claim: Terms, identity: Identity, now: Date): void => {
  if (claim.accessKeyId !== identity.credentials.accessKeyId)
    throw new Refusal('InvalidAccessKeyId', 'the access key is not known');
  const { date, region, service } = claim.scope;
  if (region !== identity.region || service !== 's3' || !claim.timestamp.startsWith(date))
    throw new Refusal(
      claim.expiresInSeconds === null ? 'AuthorizationHeaderMalformed' : 'AuthorizationQueryParametersError',
      `the credential's scope is not this day's, ${identity.region} and s3`,
    );
  const age = now.getTime() - readTime(claim.timestamp);
  if (claim.expiresInSeconds === null) {
    if (!(Math.abs(age) <= SKEW_MS))
      throw new Refusal('RequestTimeTooSkewed', 'the request was signed more than 15 minutes off');
  } else if (!(age >= -SKEW_MS)) throw new Refusal('AccessDenied', 'the request is not yet valid');
  else if (age > claim.expiresInSeconds * 1000) throw new Refusal('AccessDenied', 'the request has expired');
};

/** Milliseconds since 1970, NaN for what is no time. */
const readTime = (timestamp: string): number =>
  /^\d{8}T\d{6}Z$/.test(timestamp)
    ? Date.parse(timestamp.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
    : Number.NaN;

const checkSignedHeaders = (request: S3Request, claim: Claim): void => {
  const signed = new Set(claim.signedHeaders);
  const needed = ['host', ...[...request.headers.keys()].filter((name) => name.startsWith('x-amz-'))];
  const missing = needed.filter((name) => !signed.has(name));
  if (missing.length > 0)
    throw new Refusal('AccessDenied', `headers that must be signed are not: ${missing.join(', ')}`);
};

/** Names the signed headers that differ, but only if the signature holds with the values that were signed. */
const mismatchOf = (request: S3Request, isSigned: (request: S3Request) => boolean): string => {
  const signed = signedHeadersOf(request.query);
  const differing = [...signed].filter(([name, value]) => request.headers.get(name) !== value);
  if (differing.length === 0 || !isSigned({ ...request, headers: new Map([...request.headers, ...signed]) }))
    return 'the signature is not that of this request';
  const faults = differing.map(
    ([name, value]) => `the header ${name} must be ${value}, not ${request.headers.get(name) ?? 'left out'}`,
  );
  return `the address is signed for another request: ${faults.join('; ')}`;
};

const isSignedFor = (request: S3Request, claim: Claim, identity: Identity, host: string): boolean => {
  const { date, region, service } = claim.scope;
  const sign = identity.signerOf(identity.credentials.secretAccessKey, date, region, service);
  const expected = signature(sign, claim.scope, claim.timestamp, {
    ...request,
    headers: new Map([...request.headers, ['host', host]]),
    signedHeaders: claim.signedHeaders,
    payloadHash: claim.payloadHash,
  });
  const given = Buffer.from(claim.signature);
  return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected));
};

/** The claim in the Authorization header or the query. Throws `AccessDenied` for anonymous requests. */
const readClaim = (request: S3Request): Claim => {
  const inHeader = request.headers.has('authorization');
  const inQuery = ['X-Amz-Algorithm', 'X-Amz-Credential', 'X-Amz-Signature'].some((name) =>
    request.query.has(name),
  );
  if (inHeader && inQuery) throw new Refusal('InvalidArgument', 'only one way to authenticate is allowed');
  if (inQuery) return fromQuery(request);
  if (inHeader) return fromHeader(request);
  throw new Refusal('AccessDenied', 'anonymous access is not allowed');
};

const fromHeader = (request: S3Request) => {
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

const fromQuery = (request: S3Request) => {
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
      request.headers.get('x-amz-content-sha256') ??
      request.query.get('X-Amz-Content-Sha256') ??
      'UNSIGNED-PAYLOAD',
  };
};

/** Reads who signed, and the scope. Throws what `malformed` gives for a text of another form. */
export const readCredential = (text: string, malformed: (what: string) => Refusal) => {
  const parts = /^(.+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request$/.exec(text);
  if (!parts) throw malformed('the credential is not KEY/DATE/REGION/SERVICE/aws4_request');
  const [, accessKeyId = '', date = '', region = '', service = ''] = parts;
  return { accessKeyId, scope: { date, region, service } };
};
