import type { FieldResult } from '../../domain/submission/processingResult.ts';
import type { OutputField } from '../../domain/workflow.ts';
import { unsafeJsonFaults } from '../../schemas/unsafeJson.ts';
import { letterCertainty } from '../characters.ts';
import type { Entry } from '../read/json.ts';
import { parseAmount } from './amounts.ts';
import { type Converted, convert, NONE } from './convert.ts';
import type { Notation } from './notation.ts';
import { roleOf } from './role.ts';
import { isOtherNumber, isPlaceholder, isWholeDate } from './typedValue.ts';
import { similarity, wordsIn } from './words.ts';

/** The confidence of a value among equal candidates, below the usual `reviewBelow`. */
const AMBIGUOUS = 0.5;

/**
 * A field in JSON documents: the member whose key is most similar to its name or label, the shallowest, of
 * those the first. Its value in the field's type, or null with confidence 0 when it has another type; null
 * without such a member.
 */
export const memberOf = (
  field: OutputField,
  entries: readonly Entry[],
  notation: Notation,
): FieldResult | null => {
  const scored = entries
    .map((entry) => ({ entry, score: keySimilarity(field, entry.key) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.entry.depth - b.entry.depth);
  const [first] = scored;
  const [nearest, ...others] = scored.filter(
    ({ score, entry }) => score === first?.score && entry.depth === first.entry.depth && !isNone(entry.value),
  );
  if (!nearest || nearest.entry.value === null) return null;
  const { value, literal, place, isSpoilt } = nearest.entry;
  const typed = isSpoilt ? NONE : toType(field, nearest.entry, notation);
  const isSure = others.every(({ entry }) => entry.value === value) && !typed.isDoubtful;
  const confidence = isSure ? nearest.score : Math.min(nearest.score, AMBIGUOUS);
  return { value: typed.value, confidence: typed.value === null ? 0 : confidence, text: literal, place };
};

const isNone = (value: Entry['value']): boolean =>
  value === null || (typeof value === 'string' && (value.trim() === '' || isPlaceholder(value)));

const keySimilarity = (field: OutputField, key: string): number => {
  const words = wordsIn(key).join('');
  const own = [field.name, field.label ?? '']
    .map((name) => wordsIn(name).join(''))
    .filter((name) => name !== '');
  if (own.includes(words)) return 1;
  const score = Math.max(0, ...own.map((name) => similarity(name, words)));
  if (score >= MIN_SIMILARITY) return score * 0.9;
  const role = roleOf(field);
  return role !== null && role === roleOf({ name: key, label: null, type: field.type }) ? 0.75 : 0;
};

const MIN_SIMILARITY = 0.85;

const toType = (field: OutputField, { value, literal }: Entry, notation: Notation): Converted => {
  if (typeof value === 'string') return fromText(field, value.trim(), notation);
  const { type } = field;
  if (typeof value === 'boolean') return type === 'boolean' ? { value, isDoubtful: false } : NONE;
  if (type === 'string') return { value: literal, isDoubtful: false };
  const isOfType = type === 'number' || (type === 'integer' && Number.isInteger(value));
  return isOfType ? { value, isDoubtful: false } : NONE;
};

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A text that is a number in JSON is that number; any other is a value only as a whole. */
const fromText = (field: OutputField, text: string, notation: Notation): Converted => {
  const { type } = field;
  if (type === 'string') return { value: text, isDoubtful: letterCertainty(text) < 1 };
  if (type === 'boolean') return convert(field, text, notation);
  if (type === 'date') return isWholeDate(text, notation) ? convert(field, text, notation) : NONE;
  if (!JSON_NUMBER.test(text)) {
    if (parseAmount(text.replace(/\s?%$/, '')) === null) return NONE;
    const { value, isDoubtful } = convert(field, text, notation);
    return { value, isDoubtful: isDoubtful || isOtherNumber(field, text, text) };
  }
  const value = Number(text);
  const isKept = unsafeJsonFaults(text).length === 0 && (type === 'number' || Number.isInteger(value));
  return isKept ? { value, isDoubtful: false } : NONE;
};
