type Lengths = Readonly<{ minLength?: number; maxLength?: number }>;

/**
 * The limit of its field that a text breaks, null for none. A character is a code point, as in JSON Schema,
 * not half of an emoji.
 */
export const brokenLength = (text: string, lengths: Lengths | null): keyof Lengths | null => {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = lengths ?? {};
  const length = [...text].length;
  if (length < minLength) return 'minLength';
  return length > maxLength ? 'maxLength' : null;
};
