import type { OutputField } from '../../domain/workflow.ts';
import type { Entry } from '../read/json.ts';
import type { FieldResult } from '../types.ts';
import { convert } from './convert.ts';
import type { Order } from './dates.ts';
import { alike, wordsIn } from './labels.ts';
import { roleOf } from './role.ts';

/**
 * The member of JSON documents that holds a field: the one whose key is nearest to its name or label, the shallowest
 * first. Its value in the field's type, or null with confidence 0 when it is of another one.
 */
export const findEntry = (
  field: OutputField,
  entries: readonly Entry[],
  order: Order,
): FieldResult | null => {
  const scored = entries
    .map((entry) => ({ entry, score: likeness(field, entry.key) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.entry.depth - b.entry.depth);
  const nearest = scored[0];
  if (!nearest) return null;
  const { value, place } = nearest.entry;
  const typed = toType(field.type, value, order);
  return { value: typed, confidence: typed === null ? 0 : nearest.score, text: String(value), place };
};

const likeness = (field: OutputField, key: string): number => {
  const words = wordsIn(key).join('');
  const own = [field.name, field.label ?? '']
    .map((name) => wordsIn(name).join(''))
    .filter((name) => name !== '');
  if (own.includes(words)) return 1;
  const score = Math.max(0, ...own.map((name) => alike(name, words)));
  if (score >= ALMOST) return score * 0.9;
  const role = roleOf(field);
  return role !== null && role === roleOf({ name: key, label: null, type: field.type }) ? 0.75 : 0;
};

const ALMOST = 0.85;

const toType = (type: OutputField['type'], value: Entry['value'], order: Order): unknown => {
  if (type === 'string') return String(value);
  if (typeof value === 'string') return convert(type, value, order);
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  if (typeof value !== 'number' || type === 'date') return null;
  return type === 'integer' && !Number.isInteger(value) ? null : value;
};
