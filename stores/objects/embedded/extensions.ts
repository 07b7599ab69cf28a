// Beyond S3: the query of an upload's URL carries its greatest size and the values of its signed headers.
const MAX_LENGTH = 'x-amz-meta-max-length';
const SIGNED = 'x-amz-meta-signed-';

/** Query parameters with the maximum size of an upload in bytes, and the values of the signed headers. */
export const uploadExtensions = (
  maxSize: number | undefined,
  signedHeaders: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] => [
  ...(maxSize === undefined ? [] : [[MAX_LENGTH, String(maxSize)] as const]),
  ...Object.entries(signedHeaders).map(([name, value]) => [SIGNED + name, value] as const),
];

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
