import { groupBy } from '../../kernel/groupBy.ts';
import type { Line } from '../page.ts';
import { type Amount, amountsIn } from './amounts.ts';
import { PAYMENTS, type Paid, paidByArithmetic } from './arithmetic.ts';
import { type Candidate, candidate, doubtful, wordsWithin } from './candidate.ts';
import { labelledTotals, type Scored, withBetterReadings } from './labelledTotals.ts';
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
  const totals = labelledTotals(lines).map((one) => {
    if (isIn(stated, one.amount)) return { ...one, score: Math.max(BY_LABEL, one.score) };
    return stated.length > 0 && isRest(one.line) ? { ...one, score: Math.min(NOT_BY_LABEL, one.score) } : one;
  });
  const lastPage = totals.findLast(({ score }) => score >= STATED)?.line.place.page;
  const paid = paidByArithmetic(lines);
  const scored =
    totals.length > 0
      ? [
          ...withBetterReadings(totals, lines, (amount) => isIn(paid.derived, amount)),
          ...roundedPayments(totals, lines, paid),
        ]
      : unlabelled(lines, paid);
  const isContradicted = paid.derived.length > 0 && !scored.some(({ amount }) => isIn(paid.all, amount));
  return scored.map(({ amount, line, score }) => {
    const isUnstated = stated.length > 0 && !isIn(stated, amount);
    const above = lines.slice(0, lines.indexOf(line));
    const isRounded = paid.rounding.some((round) =>
      scored.some((other) => same(other.amount.value + round, amount.value) && above.includes(other.line)),
    );
    const isExplained = isRounded || isIn(paid.exact, amount) || isIn(paid.derived, amount);
    const isRepeated = scored.some((other) => other.line !== line && same(other.amount.value, amount.value));
    const likelihood =
      0.95 -
      0.75 * (1 - Math.min(1, score)) ** 1.2 +
      // A payment of another sum than the stated one confirms nothing, nor what is left of it.
      (isUnstated && (isPayment(line) || isRest(line)) ? 0 : supportOf(amount, paid, isContradicted)) +
      (isRounded ? ROUNDED : 0) +
      (isRepeated ? REPEATED : 0) +
      (isUnstated && !isExplained ? OVERRULED : 0) +
      (lastPage !== undefined && line.place.page < lastPage ? EARLIER_PAGE : 0);
    const one = candidate(amount.text, likelihood, line, wordsWithin(line.words, amount.start, amount.end));
    const isRivalled = scored.some(
      (other) => other.score >= FINAL && !same(other.amount.value, amount.value),
    );
    return isUnstated || (!isExplained && isRivalled) ? doubtful(one) : one;
  });
};

/** What payments add to the likelihood of a sum. */
const supportOf = (amount: Amount, { exact, all }: Paid, isContradicted: boolean): number => {
  if (isIn(exact, amount)) return PAID;
  return isIn(all, amount) ? ALMOST_PAID : isContradicted ? CONTRADICTED : 0;
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

const PAGE_NUMBER = /\bpage\W{0,3}(\d{1,3})\s*(?:of|\/)\s*(\d{1,3})\b/i;

/** Whether lines are incomplete: the last "page 1 of 3" among them is not that of the last page. */
const isIncomplete = (lines: readonly Line[]): boolean => {
  const [, page, count] =
    lines.map(({ text }) => PAGE_NUMBER.exec(text)).findLast((mark) => mark !== null) ?? [];
  return Number(page) < Number(count);
};

const STATED = 0.8;
const BY_LABEL = 0.97;
const NOT_BY_LABEL = 0.85;
/** The least score of words such as "grand" and "payable". */
const FINAL = 0.92;
const OVERRULED = -0.15;
const EARLIER_PAGE = -0.2;
const CONTRADICTED = -0.08;
const PAID = 0.25;
const ALMOST_PAID = 0.15;
const ROUNDED = 0.15;
const REPEATED = 0.08;

const unlabelled = (lines: readonly Line[], paid: Paid): readonly Scored[] => {
  const all = lines.flatMap((line) => amountsWithDecimals(line).map((amount) => ({ amount, line })));
  const derived = all.find(({ amount }) => isIn(paid.derived, amount));
  if (derived) return [{ ...derived, score: 0.4 }];
  const goods = all.filter(({ line }) => !isPayment(line));
  const [largest] = (goods.length > 0 ? goods : all).toSorted((a, b) => b.amount.value - a.amount.value);
  return largest ? [{ ...largest, score: 0.25 }] : [];
};

/** Payments of a rounded total that no line states. */
const roundedPayments = (
  totals: readonly Scored[],
  lines: readonly Line[],
  { rounding }: Paid,
): readonly Scored[] =>
  lines.filter(isPayment).flatMap((line) =>
    amountsWithDecimals(line).flatMap((amount) => {
      if (totals.some((one) => same(one.amount.value, amount.value))) return [];
      const total = totals.find((one) =>
        rounding.some((round) => same(Math.abs(one.amount.value - amount.value), Math.abs(round))),
      );
      return total ? [{ amount, line, score: total.score }] : [];
    }),
  );

const isPayment = ({ text }: Line): boolean => hasAny(wordsIn(text).slice(0, 3), PAYMENTS);

const amountsWithDecimals = (line: Line): readonly Amount[] =>
  amountsIn(line.text).filter(({ decimals }) => decimals);

const isIn = (values: readonly number[], { value }: Amount): boolean =>
  values.some((one) => same(one, value));

const same = (a: number, b: number): boolean => Math.abs(a - b) < 0.005;
