import type { Line } from '../page.ts';
import { amountsIn } from './amounts.ts';
import { isAmong, wordsIn } from './words.ts';

const MAX_AMOUNTS = 8;
const MAX_ROUNDING = 0.5;

/** Words that begin the line of a payment. */
export const PAYMENTS: readonly string[] = [
  ...['cash', 'tendered', 'tender', 'payment', 'paid', 'visa', 'card', 'mastercard', 'debit', 'tunai'],
];

/**
 * What a document's other amounts say was paid: `exact` are payments and cash less change, `derived` what two or more
 * amounts come to, `all` these and payments, with and without rounding; `rounding` is what was added to be
 * rounded, or as a tip.
 */
export type Paid = Readonly<Record<'exact' | 'derived' | 'all' | 'rounding', readonly number[]>>;

/**
 * What a document's other amounts say was paid: a payment, cash less change, a subtotal with tax and service, each
 * with and without rounding.
 */
export const paidByArithmetic = (lines: readonly Line[]): Paid => {
  const rows = lines.map(({ text }) => ({ words: wordsIn(text), amount: lastAmount(text) }));
  const beside = (says: (words: readonly string[]) => boolean): readonly number[] =>
    rows
      .filter(({ words }) => says(words))
      .flatMap(({ amount }) => (amount === null ? [] : [amount]))
      .slice(0, MAX_AMOUNTS);
  const begins = (...vocabulary: readonly string[]) =>
    beside((words) => words.slice(0, 3).some((word) => isAmong(word, vocabulary)) && !isOf(words, ['total']));
  const cash = begins(...PAYMENTS);
  const change = begins('change', 'chg', 'balance', 'baki');
  const rounding = [
    ...begins('rounding', 'round', 'adj').filter((value) => value !== 0 && Math.abs(value) <= MAX_ROUNDING),
    ...begins('tip', 'gratuity').filter((value) => value > 0),
  ];
  const before = beside(
    (words) =>
      isOf(words, ['subtotal', 'excluding', 'excl', 'exclusive', 'taxable']) ||
      (words.includes('sub') && isOf(words, ['total'])),
  );
  const tax = [
    0,
    ...beside(
      (words) =>
        isOf(words, ['gst', 'vat', 'sst', 'tax', 'mwst']) && !isOf(words, ['excluding', 'inclusive', 'incl']),
    ),
  ];
  const service = [0, ...begins('service', 'svc')];
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

const isOf = (words: readonly string[], vocabulary: readonly string[]): boolean =>
  words.some((word) => isAmong(word, vocabulary));

const lastAmount = (text: string): number | null =>
  amountsIn(text)
    .filter(({ decimals }) => decimals)
    .at(-1)?.value ?? null;
