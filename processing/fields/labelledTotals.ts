import { type Line, textOf } from '../page.ts';
import { type Amount, amountsIn, withoutTax } from './amounts.ts';
import { type Layout, layoutOf } from './layout.ts';
import { ITEM_WORDS } from './vocabulary.ts';
import { hasAny, vocabulary, wordsIn } from './words.ts';

/** An amount, its line, and how certainly (0 to 1) the words beside it mean the total. */
export type Scored = Readonly<{ amount: Amount; line: Line; score: number }>;

const AFTER_SUMMARY = 0.4;

/** Amounts beside or below words for a total. */
export const labelledTotals = (lines: readonly Line[]): readonly Scored[] => {
  const summary = lines.findIndex(({ text }) => hasAny(wordsIn(text), ['summary']));
  const layout = layoutOf(lines);
  return lines.flatMap((line, index) => {
    const isAfter = index >= summary && line.place.page === lines[summary]?.place.page;
    const weight = isAfter ? AFTER_SUMMARY : 1;
    const below = amountsBelow(line, layout);
    if (below.length > 0) return below.map((one) => ({ ...one, score: one.score * weight }));
    const words = wordsIn(line.text);
    const isBeforeTax = isNetAlone(words) && lines.slice(index + 1, index + 3).some(isTax);
    const score = Math.min(isBeforeTax ? BEFORE_TAX : 1, totalScore(words)) * weight;
    return score > 0 ? amountBeside(lines, index, score) : [];
  });
};

/** Totals, and amounts that arithmetic confirms and that differ from an unconfirmed total in one digit. */
export const withBetterReadings = (
  totals: readonly Scored[],
  lines: readonly Line[],
  isConfirmed: (amount: Amount) => boolean,
): readonly Scored[] => {
  const confirmed = lines.flatMap((line) =>
    amountsIn(line.text).flatMap((amount) => (isConfirmed(amount) ? [{ amount, line }] : [])),
  );
  const others = totals
    .filter(({ amount }) => !isConfirmed(amount))
    .flatMap(({ amount, score }) => {
      const found = confirmed.find((one) => isOneDigitOff(one.amount.text, amount.text));
      return found ? [{ ...found, score: score * 0.9 }] : [];
    });
  return [...totals, ...others];
};

const isOneDigitOff = (a: string, b: string): boolean => {
  const [left, right] = [a, b].map((text) => text.replace(/\D/g, ''));
  if (!left || !right || left.length !== right.length || left.length < 3) return false;
  return [...left].filter((digit, index) => digit !== right[index]).length === 1;
};

/** "Net 100.00" above "VAT 19.00" is what the tax is added to, where no total is stated. */
const BEFORE_TAX = 0.7;
const isTax = ({ text }: Line): boolean =>
  /^\W*(?:vat|tax|gst|sst|mwst|ust|tva|iva)\b/i.test(text) &&
  amountsIn(text).some(({ decimals }) => decimals);
const isNetAlone = (words: readonly string[]): boolean =>
  ['net', 'nett'].includes(words[0] ?? '') && words.length <= 3 && !hasAny(words, TOTALS);

/** The last amount of a line, or of the next one when that holds nothing else. */
const amountBeside = (lines: readonly Line[], index: number, score: number): readonly Scored[] => {
  const next = lines[index + 1];
  const beside = [lines[index], next && !/\p{L}{3}/u.test(next.text) ? next : undefined];
  for (const line of beside) {
    const amounts = line ? amountsIn(withoutTax(line.text)) : [];
    const amount = amounts.filter(({ decimals }) => decimals).at(-1) ?? amounts.at(-1);
    if (line && amount && isSum(amount)) return [scored(amount, line, score)];
  }
  return [];
};

/** A credit is negative; a number after a dash is no sum. */
const isSum = ({ value, decimals }: Amount): boolean => value > 0 || (value < 0 && decimals);

const scored = (amount: Amount, line: Line, score: number): Scored => ({
  amount,
  line,
  score: amount.decimals ? score : score * WITHOUT_DECIMALS,
});

const WITHOUT_DECIMALS = 0.55;
const MAX_COLUMNS = 12;

/** The amounts in the columns below labels for a total; none below the heads of a table of items. */
const amountsBelow = (line: Line, layout: Layout): readonly Scored[] => {
  const cells = layout.cellsOf(line);
  if (cells.length < 2 || cells.length > MAX_COLUMNS || amountsIn(line.text).length > 0) return [];
  if (hasAny(wordsIn(line.text), ITEM_WORDS)) return [];
  return cells.flatMap((cell) => {
    const score = totalScore(wordsIn(cell.text));
    const below = score > 0 ? layout.next(cell, 'below') : null;
    if (!below) return [];
    const words = layout.inColumn(below, cell);
    const [amount, ...others] = amountsIn(textOf(words));
    const [first] = words;
    if (!amount || others.length > 0 || !first || !isSum(amount)) return [];
    const before = below.line.words.slice(0, below.line.words.indexOf(first));
    const start = before.reduce((sum, { text }) => sum + text.length + 1, 0);
    return [scored({ ...amount, start: start + amount.start, end: start + amount.end }, below.line, score)];
  });
};

/** How certainly (0 to 1) a line's words mean that its amount is the one to be paid. */
const totalScore = (words: readonly string[]): number => {
  const has = (...terms: string[]): boolean => hasAny(words, terms);
  const total = has(...TOTALS);
  const amount = has('amount', 'balance', 'amt', 'betrag');
  const isNet = ['net', 'nett'].includes(words[0] ?? '') && words.length <= 3;
  if (has('subtotal', 'zwischensumme', 'nettobetrag', 'nettosumme') || (total && has('sub', 'kecil')))
    return 0.4;
  if (isCarried(words)) return 0.1;
  const rounded = has('rounded') || words.includes('round');
  // "TL", as tills print it.
  if (words[0] === 'tl' && words.length <= 4) return 0.6;
  if (!total && !isNet && !(amount && (rounded || has('due', 'payable', 'paid', 'bill', 'nett', 'net'))))
    return 0;
  if (has('after') && has('rounding', 'discount', 'disc', 'adjustment', 'adj', 'tax', 'gst', 'sst'))
    return 0.95;
  if (has(...COUNTS)) return 0.05;
  if (has('excluding', 'excl', 'exclusive', 'before', 'exc', 'without', 'ht') || isWithout(words)) return 0.3;
  if (has('included') && words.includes('in')) return 0.15;
  const inclusive = has('inclusive', 'including', 'includes', 'included', 'incl', 'inc', 'with', 'ttc', 'w');
  if (!inclusive && has('tax', 'gst', 'vat', 'sst', 'mwst', 'tva')) return 0.15;
  if (!rounded && has('rounding', 'adjustment', 'adj', 'cash', 'tendered')) return 0.2;
  // "Net" without "total" is the amount to be paid, or that without tax.
  if (rounded || has('grand', 'besar', 'payable', 'due', 'nett', 'net')) return isNet ? 0.8 : 1;
  return inclusive ? 0.92 : amount || has('sales', 'bill', 'paid') ? 0.88 : 0.85;
};

const TOTALS = vocabulary(
  'total totals ttl gesamt summe jumlah importe totale gesamtbetrag rechnungsbetrag endbetrag zahlbetrag gesamtsumme',
);
const COUNTS = vocabulary(
  'quantity qty items item discount disc savings saving points change pax person persons weight hours pages',
);

const isWithout = (words: readonly string[]): boolean =>
  words.some((word, index) => word === 'w' && words[index + 1] === 'o');

/** Whether a sum is a page's, carried over, or of an earlier period; "Page 2 of 3" is not. */
const isCarried = (words: readonly string[]): boolean =>
  /\b(?:carried|brought|forward|[cb] f|page|previous|last (?:year|month|week|visit))\b/.test(
    words.join(' ').replace(/\bpage \d+ of \d+/, ''),
  );
