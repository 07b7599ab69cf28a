/**
 * Whether an `Accept-Encoding` takes a coding (RFC 9110, 12.5.3): one of weight 0 is not taken, and `*`
 * speaks for those that are not named. Without the header none is: what says nothing may be a program that
 * decodes nothing.
 */
export const takes = (header: string | string[] | undefined, coding: 'gzip' | 'br'): boolean => {
  if (header === undefined) return false;
  const weights = new Map(String(header).toLowerCase().split(',').map(weighted));
  return (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
};

const weighted = (part: string): readonly [coding: string, weight: number] => {
  const [coding = '', ...parameters] = part.split(';').map((one) => one.trim());
  const weight = parameters.find((one) => one.startsWith('q='));
  return [coding, weight === undefined ? 1 : Number(weight.slice(2))];
};
