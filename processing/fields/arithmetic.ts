import type { Line } from '../page.ts';
import { amountsIn } from './amounts.ts';
import { hasAny, vocabulary, wordsIn } from './words.ts';

const MAX_AMOUNTS = 8;
const MAX_ROUNDING = 0.5;

/** Words at the start of the line of a payment. */
export const PAYMENTS = vocabulary('cash tendered tender payment paid visa card mastercard debit tunai');

/**
 * Sums that confirm a total: `exact` are payments and cash less change, `derived` the results of two or more
 * amounts, `all` these and payments, with and without rounding; `rounding` was added to round the total, or
 * as a tip.
 */
export type Paid = Readonly<Record<'exact' | 'derived' | 'all' | 'rounding', readonly number[]>>;

/** The sums paid by other amounts: a payment, cash less change, a subtotal with tax and service. */
export const paidByArithmetic = (lines: readonly Line[]): Paid => {
  const rows = lines.map(({ text }) => ({ words: wordsIn(text), amount: lastAmount(text) }));
  const beside = (isAbout: (words: readonly string[]) => boolean): readonly number[] =>
    rows
      .filter(({ words }) => isAbout(words))
      .flatMap(({ amount }) => (amount === null ? [] : [amount]))
      .slice(0, MAX_AMOUNTS);
  const starting = (...terms: readonly string[]) =>
    beside((words) => hasAny(words.slice(0, 3), terms) && !hasAny(words, ['total']));
  const cash = starting(...PAYMENTS);
  const change = starting('change', 'chg', 'balance', 'baki');
  const rounding = [
    ...starting('rounding', 'round', 'adj').filter((value) => value !== 0 && Math.abs(value) <= MAX_ROUNDING),
    ...starting('tip', 'gratuity').filter((value) => value > 0),
  ];
  const before = beside(
    (words) =>
      hasAny(words, ['subtotal', 'excluding', 'excl', 'exclusive', 'taxable']) ||
      (words.includes('sub') && hasAny(words, ['total'])),
  );
  const tax = [
    0,
    ...beside(
      (words) =>
        hasAny(words, ['gst', 'vat', 'sst', 'tax', 'mwst']) &&
        !hasAny(words, ['excluding', 'inclusive', 'incl']),
    ),
  ];
  const service = [0, ...starting('service', 'svc')];
  const back = cash.flatMap((one) => change.filter((value) => value > 0).map((value) => one - value));
  const summed = before.flatMap((one) =>
    tax.flatMap((two) => service.flatMap((three) => (two + three > 0 ? [one + two + three] : []))),
  );
  const rounded = (values: readonly number[]): readonly number[] =>
    values
      .flatMap((value) => [value, ...rounding.flatMap((round) => [value + round, value - round])])
      .filter((value) => value > 0);
  const derived = rounded([...back, ...summed]);
  return { exact: [...cash, ...back], derived, all: [...rounded(cash), ...derived], rounding };
};

const lastAmount = (text: string): number | null =>
  amountsIn(text)
    .filter(({ decimals }) => decimals)
    .at(-1)?.value ?? null;
