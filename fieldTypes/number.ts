import type { FieldTypeRecord } from './fieldType.ts';

/** Without the rounding errors of binary fractions: 0.1 + 0.2 is 0.3. */
export const normaliseNumber = (value: unknown): string | null => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(SIGNIFICANT_DIGITS)));
};
const SIGNIFICANT_DIGITS = 12;

/** An amount, or another number. */
export const number: FieldTypeRecord<'number'> = {
  name: 'number',
  schema: { type: 'number' },
  note: '',
  example: 12.34,
  normalise: normaliseNumber,
  phrases: /\b(?:numbers?|numeric|numerical|amounts?|decimals?|money|currency|monetary)\b/i,
  rank: 4,
  names: {
    pattern:
      /\b(?:total|subtotal|amount|price|cost|sum|tax|vat|tip|discount|fee|balance|rate|net|gross|weight|percentage|salary|value)\b/i,
    order: 5,
  },
  isAmount: true,
  isFreeText: false,
  roles: ['total', 'date'],
  kinds: ['amount', 'value'],
};
