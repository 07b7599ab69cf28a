import { groupBy } from '../../kernel/groupBy.ts';
import type { Line } from '../page.ts';
import { type Amount, amountsIn } from './amounts.ts';
import { PAYMENTS, type Paid, paidByArithmetic } from './arithmetic.ts';
import { type Candidate, candidate, wordsWithin } from './candidate.ts';
import { labelledTotals, type Scored, withBetterReadings } from './labelledTotals.ts';
import { isIncomplete } from './pages.ts';
import { hasAny, wordsIn } from './words.ts';

/**
 * The amounts that may be the total: those beside words for one, less likely beside words for a subtotal,
 * tax, quantity or payment, likelier when cash less change or a payment confirms them; without such words the
 * largest one. Of several pages the last counts. `stated` are values beside the field's own label: a sum that
 * differs from them, or from another final sum, is doubtful unless arithmetic confirms it.
 */
export const totalCandidates = (
  lines: readonly Line[],
  stated: readonly number[] = [],
): readonly Candidate[] => {
  const isStated = ({ value }: Amount): boolean => stated.some((one) => same(one, value));
  const totals = labelledTotals(lines).map((one) => {
    if (isStated(one.amount)) return { ...one, score: Math.max(BY_LABEL, one.score) };
    return stated.length > 0 && isRest(one.line) ? { ...one, score: Math.min(NOT_BY_LABEL, one.score) } : one;
  });
  const last = totals.findLast(({ score }) => score >= STATED)?.line.place.page;
  const paid = paidByArithmetic(lines);
  const isIn = (values: readonly number[], { value }: Amount): boolean =>
    values.some((one) => same(one, value));
  const scored =
    totals.length > 0
      ? [
          ...withBetterReadings(totals, lines, (amount) => isIn(paid.derived, amount)),
          ...roundedPayments(totals, lines, paid),
        ]
      : unlabelled(lines, paid);
  const contradicted = paid.derived.length > 0 && !scored.some(({ amount }) => isIn(paid.all, amount));
  const isRounded = (amount: Amount, line: Line): boolean =>
    paid.rounding.some((round) =>
      scored.some(
        (other) =>
          lines.indexOf(other.line) < lines.indexOf(line) && same(other.amount.value + round, amount.value),
      ),
    );
  const isExplained = (amount: Amount, line: Line): boolean =>
    isIn(paid.exact, amount) || isIn(paid.derived, amount) || isRounded(amount, line);
  const isOverruled = (amount: Amount, line: Line): boolean =>
    stated.length > 0 && !isStated(amount) && !isExplained(amount, line);
  const isDoubted = (amount: Amount, line: Line): boolean => {
    if (stated.length > 0 && !isStated(amount)) return true;
    return (
      !isExplained(amount, line) &&
      scored.some((one) => one.score >= FINAL && !same(one.amount.value, amount.value))
    );
  };
  const supportOf = (amount: Amount, line: Line): number => {
    // A payment of another sum than the stated one confirms nothing.
    if (stated.length > 0 && isPayment(line) && !isStated(amount)) return 0;
    if (isIn(paid.exact, amount)) return PAID;
    return isIn(paid.all, amount) ? ALMOST_PAID : contradicted ? CONTRADICTED : 0;
  };
  return scored.map(({ amount, line, score }) => {
    const repeated = scored.some((other) => other.line !== line && same(other.amount.value, amount.value));
    const likelihood =
      0.95 -
      0.75 * (1 - Math.min(1, score)) ** 1.2 +
      supportOf(amount, line) +
      (isRounded(amount, line) ? ROUNDED : 0) +
      (repeated ? REPEATED : 0) +
      (isOverruled(amount, line) ? OVERRULED : 0) +
      (last !== undefined && line.place.page < last ? EARLIER_PAGE : 0);
    const one = candidate(amount.text, likelihood, line, wordsWithin(line, amount.start, amount.end));
    return isDoubted(amount, line) ? { ...one, confidence: Math.min(DOUBTED, one.confidence) } : one;
  });
};

/** A sum that was paid, is still due, or is without tax is not the total, where both are stated. */
const isRest = ({ text }: Line): boolean =>
  /\b(?:due|outstanding|balance|paid|net amount|amount net|reste|solde|offener?)\b/i.test(text) &&
  !/total/i.test(text);

/**
 * The lines with a document's total: those of the first complete file that states one, as later files are
 * attachments with their own sums ("page 1 of 2" is incomplete). All lines where no file states a total.
 */
export const totalLines = (lines: readonly Line[]): readonly Line[] => {
  const stating = [...groupBy(lines, ({ place }) => place.fileId).values()].filter((file) =>
    labelledTotals(file).some(({ score }) => score >= STATED),
  );
  return stating.find((file) => !isIncomplete(file)) ?? stating.at(-1) ?? lines;
};

const STATED = 0.8;
const BY_LABEL = 0.97;
const NOT_BY_LABEL = 0.85;
/** The least score of words such as "grand" and "payable". */
const FINAL = 0.92;
const DOUBTED = 0.75;
const OVERRULED = -0.15;
const EARLIER_PAGE = -0.2;
const CONTRADICTED = -0.08;
const PAID = 0.25;
const ALMOST_PAID = 0.15;
const ROUNDED = 0.15;
const REPEATED = 0.08;

const unlabelled = (lines: readonly Line[], paid: Paid): readonly Scored[] => {
  const all = lines.flatMap((line) => amountsWithDecimals(line).map((amount) => ({ amount, line })));
  const derived = all.find(({ amount }) => paid.derived.some((value) => same(value, amount.value)));
  if (derived) return [{ ...derived, score: 0.4 }];
  const goods = all.filter(({ line }) => !isPayment(line));
  const most = largestOf(goods.length > 0 ? goods : all);
  return most ? [{ ...most, score: 0.25 }] : [];
};

/** Payments of a rounded total that no line states. */
const roundedPayments = (
  totals: readonly Scored[],
  lines: readonly Line[],
  { rounding }: Paid,
): readonly Scored[] =>
  lines.filter(isPayment).flatMap((line) =>
    amountsWithDecimals(line).flatMap((amount) => {
      const of = totals.find((one) =>
        rounding.some((round) => same(Math.abs(one.amount.value - amount.value), Math.abs(round))),
      );
      return of && !totals.some((one) => same(one.amount.value, amount.value))
        ? [{ amount, line, score: of.score }]
        : [];
    }),
  );

const isPayment = ({ text }: Line): boolean => hasAny(wordsIn(text).slice(0, 3), PAYMENTS);

const amountsWithDecimals = (line: Line): readonly Amount[] =>
  amountsIn(line.text).filter(({ decimals }) => decimals);

const largestOf = (all: readonly Omit<Scored, 'score'>[]) =>
  all.toSorted((a, b) => b.amount.value - a.amount.value)[0];

const same = (a: number, b: number): boolean => Math.abs(a - b) < 0.005;
