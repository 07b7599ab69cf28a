import type { OutputField } from '../workflow.ts';

/**
 * The values of a business key's fields as one normalised text: names and values, in the order of the names.
 * Null when a part is missing, since such a key matches nothing (fraud-4).
 */
export const businessKeyOf = (
  fields: readonly OutputField[],
  businessKey: readonly string[],
  data: Readonly<Record<string, unknown>>,
): string | null => {
  const parts = [...businessKey].sort().map((name) => {
    const type = fields.find((field) => field.name === name)?.type;
    return [name, type ? normalise(type, Object.hasOwn(data, name) ? data[name] : null) : null] as const;
  });
  return parts.length === 0 || parts.some(([, value]) => value === null) ? null : JSON.stringify(parts);
};

/** A normalised value; null for one that is missing or not of its field's type. */
const normalise = (type: OutputField['type'], value: unknown): string | null => {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? plain(value) : null;
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null;
    case 'number':
    case 'integer':
      return typeof value === 'number' && Number.isFinite(value) ? plainNumber(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : null;
  }
};

/** A number without the rounding errors of binary fractions: 0.1 + 0.2 is 0.3. */
const plainNumber = (value: number): string =>
  String(Number.isInteger(value) ? value : Number(value.toPrecision(SIGNIFICANT_DIGITS)));
const SIGNIFICANT_DIGITS = 12;

/**
 * Letters and digits alone, in lower case and without accents: "A.C.M.E. Trading" is "acmetrading", "CAFÉ" is
 * "cafe". Only between two digits a gap counts, as a space: the numbers 1/23 and 12/3 differ. Null when
 * nothing remains.
 */
const plain = (text: string): string | null => {
  const bare = text
    .normalize('NFKD')
    // Accents alone: the marks of other scripts are their vowels.
    .replace(/[\u0300-\u036f]/g, '')
    // "ß" is "ss".
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
    .replace(/(?<=\p{N})[^\p{L}\p{M}\p{N}]+(?=\p{N})/gu, ' ')
    .replace(/[^\p{L}\p{M}\p{N} ]|(?<!\p{N}) | (?!\p{N})/gu, '');
  return bare === '' ? null : bare;
};
