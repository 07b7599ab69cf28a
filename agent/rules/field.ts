import { type FieldType, fieldTypeNames, fieldTypes } from '../../fieldTypes/all.ts';
import type { Field } from './rule.ts';
import { bare, capital, nameOf } from './words.ts';

/** The types in the order in which they are looked for. */
const byRank = fieldTypeNames.toSorted((one, other) => fieldTypes[other].rank - fieldTypes[one].rank);

/** The type that words name, null when they name none. */
export const typeNamed = (words: string): FieldType | null =>
  byRank.find((type) => fieldTypes[type].phrases.test(words)) ?? null;

const byOrder = fieldTypeNames.toSorted(
  (one, other) => fieldTypes[one].names.order - fieldTypes[other].names.order,
);

/** The most likely type of a field with this name. */
const typeOf = (words: string): FieldType =>
  byOrder.find((type) => fieldTypes[type].names.pattern.test(words)) ?? 'string';

const OPTIONAL = /\b(?:optional(?:ly)?|if (?:any|present|there|given)|not required)\b/gi;
const REQUIRED = /\b(?:required|mandatory|must)\b/gi;
const MAX_WORDS = 6;

/**
 * The field that an item of a list names: "due date", "total (number, required)", "VAT as a number", "note:
 * text, optional". Null for an item that names none.
 */
export const fieldOf = (item: string): Field | null => {
  const [, head = '', inParentheses = '', behind = ''] =
    /^(.*?)\s*(?:\(([^)]*)\))?\s*(?:[:–-]\s+(.*)|:(.*))?$/.exec(item) ?? [];
  const [words = '', as = ''] = head.split(/\s+as\s+(?:an?\s+)?/i);
  const qualifiers = [inParentheses, behind, as].join(', ');
  const optional = new RegExp(OPTIONAL).test(`${words} ${qualifiers}`);
  const plain = bare(
    words.replaceAll(OPTIONAL, ' ').replaceAll(REQUIRED, ' ').replaceAll(/\s+/g, ' ').trim(),
  );
  const name = nameOf(plain);
  if (name === '' || plain.split(/\s+/).length > MAX_WORDS) return null;
  const description = descriptionIn(inParentheses || behind);
  return {
    name,
    label: capital(plain).slice(0, 128),
    required: !optional,
    ...(description === '' ? {} : { description }),
    type: typeNamed(qualifiers) ?? typeOf(plain),
  };
};

/** The rest of an item's text, beside the field's type and whether it is required. */
const descriptionIn = (text: string): string =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && typeNamed(part) === null && !new RegExp(OPTIONAL).test(part))
    .filter((part) => !new RegExp(REQUIRED).test(part))
    .join(', ')
    .slice(0, 1000);
