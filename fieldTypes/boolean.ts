import type { FieldTypeRecord } from './fieldType.ts';

/** Yes or no. */
export const boolean: FieldTypeRecord<'boolean'> = {
  name: 'boolean',
  schema: { type: 'boolean' },
  note: '',
  example: true,
  normalise: (value) => (typeof value === 'boolean' ? String(value) : null),
  phrases: /\b(?:booleans?|yes\s*(?:\/|or)\s*no|true\s*(?:\/|or)\s*false|flags?|checkbox(?:es)?)\b/i,
  rank: 2,
  names: {
    pattern: /^(?:is|has|was|are|have)\b|\?$/i,
    order: 2,
  },
  isAmount: false,
  isFreeText: false,
  roles: [],
  kinds: [],
};
