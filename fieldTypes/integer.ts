import type { FieldTypeRecord } from './fieldType.ts';
import { normaliseNumber } from './number.ts';

/** A whole number. */
export const integer: FieldTypeRecord<'integer'> = {
  name: 'integer',
  schema: { type: 'integer' },
  note: '',
  example: 12,
  normalise: normaliseNumber,
  phrases: /\b(?:integers?|whole numbers?|counts?)\b/i,
  rank: 5,
  names: {
    pattern: /^(?:number|count) of\b|\b(?:quantity|qty|count)$/i,
    order: 1,
  },
  isAmount: false,
  isFreeText: false,
  roles: ['total', 'date'],
  kinds: ['number', 'no', 'nr', 'id', 'code'],
};
