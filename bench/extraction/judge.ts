import { distance } from 'fastest-levenshtein';
import { type Band, bandsOf } from '../../domain/evaluation/report.ts';
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

/** How far confidences can be trusted: of those that found a value, in bands. */
export const calibration = (judged: readonly Judged[]): readonly Band[] =>
  bandsOf(
    judged
      .filter(({ found }) => found !== '')
      .map(({ confidence, exact }) => ({ confidence, isRight: exact })),
  );
