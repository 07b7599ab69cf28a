import type { FieldTypeRecord } from './fieldType.ts';

/** A day, as YYYY-MM-DD. */
export const date: FieldTypeRecord<'date'> = {
  name: 'date',
  schema: { type: 'string', format: 'date' },
  note: 'A date such as 2026-11-21',
  example: '2026-01-31',
  normalise: (value) => (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null),
  phrases: /\b(?:dates?|days?)\b/i,
  rank: 3,
  names: {
    pattern: /\b(?:date|deadline|birthday)\b/i,
    order: 4,
  },
  isAmount: false,
  isFreeText: false,
  roles: ['date'],
  kinds: [],
};
