import type { FieldResult } from '../../domain/submission/processingResult.ts';
import type { OutputField } from '../../domain/workflow.ts';
import { isFreeText } from '../../fieldTypes/all.ts';
import { typeFaults } from '../../schemas/fieldValues.ts';
import type { Entry } from '../read/json.ts';
import { type Converted, NONE } from './convert.ts';
import type { Notation } from './notation.ts';
import { readings } from './readings.ts';
import { roleOf } from './role.ts';
import { isPlaceholder } from './typedValue.ts';
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
    ({ score, entry }) =>
      score === first?.score && entry.depth === first.entry.depth && !isNone(field, entry.value),
  );
  if (!nearest || nearest.entry.value === null) return null;
  const { value, literal, place, isSpoilt } = nearest.entry;
  const typed = isSpoilt ? NONE : toType(field, nearest.entry, notation);
  const isSure = others.every(({ entry }) => entry.value === value) && !typed.isDoubtful;
  const confidence = isSure ? nearest.score : Math.min(nearest.score, AMBIGUOUS);
  return { value: typed.value, confidence: typed.value === null ? 0 : confidence, text: literal, place };
};

const isNone = (field: OutputField, value: Entry['value']): boolean =>
  value === null || (typeof value === 'string' && (isEmpty(field, value) || isPlaceholder(value)));

/** A dash or a question mark says nothing as a text; a tick is a yes. */
const isEmpty = ({ type }: OutputField, value: string): boolean =>
  isFreeText(type) ? !/[\p{L}\p{N}\p{So}]/u.test(value) : value.trim() === '';

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
  if (typeof value === 'string') return readings[field.type].fromJson(field, value.trim(), notation);
  if (typeFaults(field.type, value).length === 0) return { value, isDoubtful: false };
  return isFreeText(field.type) && typeof value === 'number' ? { value: literal, isDoubtful: false } : NONE;
};
