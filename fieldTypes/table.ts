import type { FieldTypeRecord } from './fieldType.ts';

/** Rows of columns, each column of one of the other types. What a row is, the field's columns say. */
export const table: FieldTypeRecord<'table'> = {
  name: 'table',
  schema: { type: 'array' },
  note: '',
  example: null,
  // Rows are no part of a business key: definitions that name them there are refused.
  normalise: () => null,
  // The workflow agent drafts no columns.
  phrases: /(?!)/,
  rank: 0,
  names: { pattern: /(?!)/, order: 6 },
  isAmount: false,
  isFreeText: false,
  roles: [],
  kinds: [],
};
