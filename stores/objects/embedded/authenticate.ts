import { timingSafeEqual } from 'node:crypto';
import { type Claim, readClaim } from './claim.ts';
import { signedHeadersOf } from './presign.ts';
import { Refusal } from './refusal.ts';
import type { S3Request } from './request.ts';
import { signature } from './sigv4.ts';

/** The one identity. `publicHost`: what clients sign when a proxy replaces the Host header. */
export type Identity = Readonly<{
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  publicHost: string | null;
}>;

const SKEW_MS = 15 * 60_000;

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

const checkTerms = (claim: Claim, identity: Identity, now: Date): void => {
  if (claim.accessKeyId !== identity.accessKeyId)
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
  const expected = signature(identity.secretAccessKey, claim.scope, claim.timestamp, {
    ...request,
    headers: new Map([...request.headers, ['host', host]]),
    signedHeaders: claim.signedHeaders,
    payloadHash: claim.payloadHash,
  });
  const given = Buffer.from(claim.signature);
  return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected));
};
