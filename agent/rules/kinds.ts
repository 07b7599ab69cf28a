import { fieldOf } from './field.ts';
import type { Field } from './rule.ts';
import { itemsOf } from './words.ts';

/** The fields of known kinds of documents, for an instruction that names none. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\binvoices?\b/i, 'vendor, invoice number, date, due date (optional), total, VAT (optional)'],
  [/\breceipts?\b/i, 'company, date, total, tax (optional)'],
  [
    /\b(?:passports?|identity|id cards?|driving licen[cs]es?)\b/i,
    'name, date of birth, document number, expiry date',
  ],
  [
    /\b(?:delivery notes?|packing lists?)\b/i,
    'sender, delivery note number, date, number of items (optional)',
  ],
  [/\bcontracts?\b/i, 'parties, date, start date (optional), end date (optional)'],
];

/** The usual fields of the kind of document that a text names, null when it names none of these. */
export const usualFields = (text: string): readonly Field[] | null => {
  const list = KINDS.find(([pattern]) => pattern.test(text))?.[1];
  return list === undefined ? null : itemsOf(list).flatMap((item) => fieldOf(item) ?? []);
};

/** The fields of any other document. */
export const anyFields: readonly Field[] = [
  { name: 'title', label: 'Title', required: true, type: 'string' },
  { name: 'date', label: 'Date', required: false, type: 'date' },
];
