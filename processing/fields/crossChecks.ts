import type { OutputField } from '../../domain/workflow.ts';
import type { FoundField } from '../extraction.ts';
import { atMost } from '../page.ts';
import { DOUBTFUL } from './candidate.ts';
import { synonymsOf } from './synonyms.ts';

/**
 * How sure a sum is that two others prove; the least confidence that a proof raises: in a notation that is
 * guessed all of them may be wrong alike.
 */
const [PROVEN, LIKELY] = [0.96, 0.7];
/** No longer sure, but a total may have other parts: a discount, a tip. */
const UNPROVEN = 0.88;
/** Totals are rounded to five hundredths; and what binary fractions lose. */
const ROUNDING = 0.05 + 1e-6;

/**
 * Fields as others of the document make them surer or less sure: a subtotal and a tax that are the total or
 * not, and days in an order that can't be.
 */
export const crossChecked = (found: readonly FoundField[]): readonly FoundField[] => inOrder(summedUp(found));

const summedUp = (found: readonly FoundField[]): readonly FoundField[] => {
  const [net, tax, total] = ['subtotal', 'tax', 'total'].map((name) => numbersOf(found, name));
  if (net?.length !== 1 || tax?.length !== 1 || total?.length !== 1) return found;
  const [a, b, sum] = [net[0]?.value ?? 0, tax[0]?.value ?? 0, total[0]?.value ?? 0];
  if (b === 0 || sum === 0) return found;
  const isRight = Math.abs(a + b - sum) <= ROUNDING;
  const summed = [net, tax, total].map((own) => own[0]?.field);
  return found.map((one) => {
    if (!summed.includes(one.field)) return one;
    const { confidence } = one.result;
    if (!isRight) return { ...one, result: atMost(UNPROVEN, one.result) };
    return confidence < LIKELY
      ? one
      : { ...one, result: { ...one.result, confidence: Math.max(PROVEN, confidence) } };
  });
};

type Sum = Readonly<{ field: OutputField; value: number }>;

const numbersOf = (found: readonly FoundField[], name: string): readonly Sum[] =>
  found.flatMap(({ field, result: { value } }) =>
    typeof value === 'number' && synonymsOf(field).includes(name) ? [{ field, value }] : [],
  );

/** Days of which the first is not after the second. */
const ORDERS: readonly (readonly [earlier: string, later: string])[] = [
  ['invoice date', 'due date'],
  ['order date', 'invoice date'],
  ['date of birth', 'invoice date'],
  ['date of birth', 'date of expiry'],
  ['date of birth', 'date signed'],
  ['check in', 'check out'],
];

const inOrder = (found: readonly FoundField[]): readonly FoundField[] => {
  const of = (name: string): readonly FoundField[] =>
    found.filter(
      ({ field, result }) =>
        field.type === 'date' && result.value !== null && synonymsOf(field).includes(name),
    );
  const refuted = ORDERS.flatMap(([earlier, later]) =>
    of(earlier).flatMap((one) =>
      of(later).flatMap((other) =>
        String(one.result.value) > String(other.result.value) ? [one, other] : [],
      ),
    ),
  );
  return found.map((one) => (refuted.includes(one) ? { ...one, result: atMost(DOUBTFUL, one.result) } : one));
};
