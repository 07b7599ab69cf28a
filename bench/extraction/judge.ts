import { distance } from 'fastest-levenshtein';
import type { OutputField } from '../../domain/workflow.ts';
import { notationOf } from '../../processing/fields/notation.ts';
import { convert } from '../../processing/fields/readings.ts';

/**
 * A field as it was found and as it is: whether they are the same once both are made comparable, and how
 * alike in characters (0..1).
 */
export type Judged = Readonly<{
  field: string;
  found: string;
  truth: string;
  confidence: number;
  exact: boolean;
  alike: number;
}>;

/** Judges what was found of a field, null for nothing. */
export const judge = (field: OutputField, found: unknown, truth: string, confidence: number): Judged => {
  const [one, other] = [comparable(field, String(found ?? '')), comparable(field, truth)];
  const longest = Math.max(one.length, other.length);
  const alike = longest === 0 ? 1 : 1 - distance(one, other) / longest;
  return {
    field: field.name,
    found: String(found ?? ''),
    truth,
    confidence,
    exact: one === other,
    alike,
  };
};

/**
 * Values as they are compared: dates and amounts as such, texts by their letters and digits, without case.
 */
export const comparable = ({ type }: Pick<OutputField, 'type'>, text: string): string => {
  if (type !== 'string') {
    const notation = notationOf(text, new Date().toISOString(), 'day-first');
    return String(convert({ name: '', label: null, type }, text, notation).value ?? '');
  }
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
};

/** The share that was right of the fields reported with a confidence from `from` up to below `to`. */
export type Band = Readonly<{ from: number; to: number; count: number; right: number }>;

const EDGES = [0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.01];

/** How far confidences can be trusted: of those that found a value, in bands. */
export const calibration = (judged: readonly Judged[]): readonly Band[] =>
  EDGES.slice(1).map((to, index) => {
    const from = EDGES[index] ?? 0;
    const within = judged.filter(
      ({ found, confidence }) => found !== '' && confidence >= from && confidence < to,
    );
    return { from, to, count: within.length, right: within.filter(({ exact }) => exact).length };
  });
