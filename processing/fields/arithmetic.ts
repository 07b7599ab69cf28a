import type { Line } from '../page.ts';
import { amountsIn } from './amounts.ts';
import { isOneOf, wordsIn } from './labels.ts';

const MOST = 8;

/** What a document's other amounts say was paid: as a payment by itself, and as what two or more of them come to. */
type Paid = Readonly<{ given: readonly number[]; derived: readonly number[] }>;

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
      .slice(0, MOST);
  const begins = (...vocabulary: string[]) =>
    beside((words) => words.slice(0, 3).some((word) => isOneOf(word, vocabulary)) && !isOf(words, ['total']));
  const cash = begins('cash', 'tendered', 'tender', 'payment', 'paid', 'visa', 'card', 'mastercard', 'debit');
  const change = begins('change');
  const rounding = [0, ...begins('rounding', 'round', 'adj').flatMap((value) => [value, -value])];
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
      .flatMap((value) => [...new Set(rounding)].map((round) => Math.round((value + round) * 100) / 100))
      .filter((value) => value > 0);
  return { given: rounded(cash), derived: rounded([...back, ...summed]) };
};

const isOf = (words: readonly string[], vocabulary: readonly string[]): boolean =>
  words.some((word) => isOneOf(word, vocabulary));

const lastAmount = (text: string): number | null =>
  amountsIn(text)
    .filter(({ decimals }) => decimals)
    .at(-1)?.value ?? null;
