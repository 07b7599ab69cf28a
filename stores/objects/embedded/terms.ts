import type { S3Request } from './request.ts';

/** What the query of a signed address tells this endpoint beyond S3. It is part of what is signed. */
const METADATA = 'x-amz-meta-';
const MAX_LENGTH = 'max-length';
const SIGNED = 'signed-';

/**
 * The metadata of a PUT whose presigner moves them into the query: the most bytes that the upload may have,
 * and the values of the signed headers, which a signature alone does not give away.
 */
export const termsAsMetadata = (
  maxSize: number | undefined,
  signedHeaders: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => ({
  ...(maxSize !== undefined && { [MAX_LENGTH]: String(maxSize) }),
  ...Object.fromEntries(Object.entries(signedHeaders).map(([name, value]) => [SIGNED + name, value])),
});

/** Whether a query parameter is one of these terms. */
export const isTerm = (parameter: string): boolean =>
  parameter === METADATA + MAX_LENGTH || parameter.startsWith(METADATA + SIGNED);

/** The most bytes that an upload may have, infinite when its address does not say. */
export const maxLengthOf = ({ query }: S3Request): number =>
  Number(query.get(METADATA + MAX_LENGTH) ?? Number.POSITIVE_INFINITY);

/** The headers that the address says were signed, with their values. */
export const signedHeadersOf = ({ query }: S3Request): ReadonlyMap<string, string> =>
  new Map(
    [...query]
      .filter(([name]) => name.startsWith(METADATA + SIGNED))
      .map(([name, value]) => [name.slice(METADATA.length + SIGNED.length), value]),
  );
