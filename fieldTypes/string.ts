import type { FieldTypeRecord } from './fieldType.ts';

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

/** Any text. */
export const string: FieldTypeRecord<'string'> = {
  name: 'string',
  schema: { type: 'string' },
  note: '',
  example: null,
  normalise: (value) => (typeof value === 'string' ? plain(value) : null),
  phrases: /\b(?:texts?|strings?|free text|words)\b/i,
  rank: 1,
  names: {
    pattern: /\b(?:number|no|id|identifier|code|name|method|type|currency|address|reference|status)$/i,
    order: 3,
  },
  isAmount: false,
  isFreeText: true,
  roles: ['total', 'date', 'company', 'address'],
  kinds: ['number', 'no', 'nr', 'id', 'code', 'name'],
};
