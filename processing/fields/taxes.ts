import type { OutputField } from '../../domain/workflow.ts';
import type { Line } from '../page.ts';
import { amountsIn } from './amounts.ts';
import { type Candidate, candidate } from './candidate.ts';
import { isSum } from './typedValue.ts';
import { hasAny, vocabulary, wordsIn } from './words.ts';

const TAXES = vocabulary('tax vat gst sst mwst ust umsatzsteuer mehrwertsteuer tva iva cukai');
const MAX_ROWS = 6;
const MAX_AMOUNTS = 400;

/**
 * The sum of the taxes of several rates, for a field that asks for the tax: where two other amounts of the
 * document differ by just that sum, such as those without tax and with it. None for other fields.
 */
export const taxCandidates = (field: OutputField, lines: readonly Line[]): readonly Candidate[] => {
  const words = [...wordsIn(field.name), ...wordsIn(field.label ?? '')];
  if (field.type !== 'number' || !isSum(field) || !words.some((word) => TAXES.includes(word))) return [];
  const rows = lines.flatMap((line) => {
    const amounts = isOfTax(line.text) ? amountsIn(line.text).filter(({ decimals }) => decimals) : [];
    const [amount] = amounts;
    return amount && amounts.length === 1 ? [{ line, amount }] : [];
  });
  const last = rows.at(-1);
  if (!last || rows.length < 2 || rows.length > MAX_ROWS) return [];
  const sum = centsOf(rows.reduce((before, { amount }) => before + amount.value, 0));
  if (!isDifference(sum, lines)) return [];
  const text = rows.map(({ amount }) => amount.text).join(' + ');
  return [{ ...candidate(text, CONFIRMED, last.line), rank: CONFIRMED, reads: (sum / 100).toFixed(2) }];
};

const CONFIRMED = 0.96;

/** By how many hundredths a total may be rounded. */
const ROUNDED = [0, 1, 2, 3, 4, 5, -1, -2, -3, -4, -5];

const isOfTax = (text: string): boolean =>
  hasAny(wordsIn(text.replace(/[\d.,]+\s?%/g, ' ')).slice(0, 2), TAXES);

const centsOf = (value: number): number => Math.round(value * 100);

/** Whether two amounts, both further from 0 than a sum, differ by it. */
const isDifference = (sum: number, lines: readonly Line[]): boolean => {
  const amounts = lines.flatMap(({ text }) =>
    amountsIn(text).flatMap(({ value, decimals }) => (decimals ? [centsOf(value)] : [])),
  );
  const greater = new Set(amounts.slice(-MAX_AMOUNTS).filter((one) => Math.abs(one) > Math.abs(sum)));
  return [...greater].some((one) => ROUNDED.some((rounding) => greater.has(one + sum + rounding)));
};
