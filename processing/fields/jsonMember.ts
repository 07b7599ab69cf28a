import type { FieldResult, FieldValue } from '../../domain/submission/processingResult.ts';
import type { OutputField } from '../../domain/workflow.ts';
import type { Entry } from '../read/json.ts';
import { convert } from './convert.ts';
import { datesIn, type Order } from './dates.ts';
import { roleOf } from './role.ts';
import { similarity, wordsIn } from './words.ts';

/** The confidence of a value among equal candidates, below the usual `reviewBelow`. */
const AMBIGUOUS = 0.5;

/**
 * A field in JSON documents: the member whose key is most similar to its name or label, the shallowest, of
 * those the first. Its value in the field's type, or null with confidence 0 when it has another type; null
 * without such a member.
 */
export const memberOf = (field: OutputField, entries: readonly Entry[], order: Order): FieldResult | null => {
  const scored = entries
    .map((entry) => ({ entry, score: keySimilarity(field, entry.key) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.entry.depth - b.entry.depth);
  const [first] = scored;
  const [nearest, ...others] = scored.filter(
    ({ score, entry }) => score === first?.score && entry.depth === first.entry.depth && !isNone(entry.value),
  );
  if (!nearest || nearest.entry.value === null) return null;
  const { value, place, isSpoilt } = nearest.entry;
  const typed = isSpoilt ? null : toType(field.type, value, order);
  const isSure = others.every(({ entry }) => entry.value === value) && !isAmbiguous(field, value, order);
  const confidence = isSure ? nearest.score : Math.min(nearest.score, AMBIGUOUS);
  return { value: typed, confidence: typed === null ? 0 : confidence, text: String(value), place };
};

const isNone = (value: Entry['value']): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '');

/** An ambiguous date, where the field's description has no order of day and month. */
const isAmbiguous = ({ type, description }: OutputField, value: Entry['value'], order: Order): boolean =>
  type === 'date' &&
  typeof value === 'string' &&
  !/\b(?:MM|DD)\s?[/.-]\s?(?:MM|DD)\b/i.test(description ?? '') &&
  datesIn(value, order)[0]?.ambiguous === true;

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

const toType = (type: OutputField['type'], value: NonNullable<Entry['value']>, order: Order): FieldValue => {
  if (type === 'string') return typeof value === 'boolean' ? null : String(value);
  if (typeof value === 'string') return convert(type, value, order);
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  if (typeof value !== 'number' || type === 'date') return null;
  return type === 'integer' && !Number.isInteger(value) ? null : value;
};
