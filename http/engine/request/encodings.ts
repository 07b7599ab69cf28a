type Header = string | string[] | undefined;

/**
 * Whether an `Accept-Encoding` takes a coding (RFC 9110, 12.5.3): one of weight 0 is not taken, and `*`
 * speaks for those that are not named. Without the header none is: what says nothing may be a program that
 * decodes nothing.
 */
export const takes = (header: Header, coding: 'gzip' | 'br'): boolean => {
  if (header === undefined) return false;
  const weights = weightsOf(header);
  return (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
};

/** The names of an `Accept-…` header in lower case, in its order, each with its weight. */
export const weightsOf = (header: Header = ''): ReadonlyMap<string, number> =>
  new Map(String(header).toLowerCase().split(',').map(weighted));

const weighted = (part: string): readonly [name: string, weight: number] => {
  const [name = '', ...parameters] = part.split(';').map((one) => one.trim());
  const weight = parameters.find((one) => one.startsWith('q='));
  return [name, weight === undefined ? 1 : Number(weight.slice(2))];
};
