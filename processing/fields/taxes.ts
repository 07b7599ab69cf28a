import type { OutputField } from '../../domain/workflow.ts';
import { type Line, textOf } from '../page.ts';
import { type Amount, amountsIn } from './amounts.ts';
import { type Candidate, candidate } from './candidate.ts';
import { type Layout, layoutOf } from './layout.ts';
import { isSum } from './typedValue.ts';
import { hasAny, vocabulary, wordsIn } from './words.ts';

const TAXES = vocabulary('tax vat gst sst mwst ust umsatzsteuer mehrwertsteuer tva iva cukai');
const MAX_ROWS = 6;
const MAX_AMOUNTS = 400;
const MAX_COLUMNS = 12;

/**
 * The sum of the taxes of several rates, for a field that asks for the tax: where two other amounts of the
 * document differ by just that sum, such as those without tax and with it. None for other fields.
 */
export const taxCandidates = (field: OutputField, lines: readonly Line[]): readonly Candidate[] => {
  const words = [...wordsIn(field.name), ...wordsIn(field.label ?? '')];
  if (field.type !== 'number' || !isSum(field) || !words.some((word) => TAXES.includes(word))) return [];
  const layout = layoutOf(lines);
  const rows = lines.flatMap((line) => [...besideIn(line), ...belowIn(line, layout)]);
  const last = rows.at(-1);
  if (!last || rows.length < 2 || rows.length > MAX_ROWS) return [];
  const sum = centsOf(rows.reduce((before, { amount }) => before + amount.value, 0));
  if (!isDifference(sum, lines)) return [];
  const text = rows.map(({ amount }) => amount.text).join(' + ');
  return [{ ...candidate(text, CONFIRMED, last.line), rank: CONFIRMED, reads: (sum / 100).toFixed(2) }];
};

const CONFIRMED = 0.96;

/** An amount of tax, and its line. */
type Row = Readonly<{ line: Line; amount: Amount }>;

const besideIn = (line: Line): readonly Row[] =>
  isOfTax(line.text) ? onlyIn(line.text).map((amount) => ({ line, amount })) : [];

/** Amounts below the captions of a row of sums. */
const belowIn = (line: Line, layout: Layout): readonly Row[] => {
  const cells = layout.cellsOf(line);
  if (cells.length < 2 || cells.length > MAX_COLUMNS || amountsIn(line.text).length > 0) return [];
  return cells.flatMap((cell) => {
    const below = isOfTax(cell.text) ? layout.next(cell, 'below') : null;
    return below === null
      ? []
      : onlyIn(textOf(layout.inColumn(below, cell))).map((amount) => ({ line: below.line, amount }));
  });
};

/** The amount with decimals in a text that has one. */
const onlyIn = (text: string): readonly Amount[] => {
  const amounts = amountsIn(text).filter(({ decimals }) => decimals);
  return amounts.length === 1 ? amounts : [];
};

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
