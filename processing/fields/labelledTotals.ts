import type { Line } from '../page.ts';
import { type Amount, amountsIn } from './amounts.ts';
import { startOf } from './candidate.ts';
import { isOneOf, wordsIn } from './labels.ts';
import { type Layout, layoutOf } from './layout.ts';
import { totalness } from './totalness.ts';
import { ITEM_WORDS } from './vocabulary.ts';

/** An amount, the line that it stands in, and how strongly (0 to 1) words call it the total. */
export type Scored = Readonly<{ amount: Amount; line: Line; score: number }>;

const AFTER_SUMMARY = 0.4;

/** Amounts beside or below words for a total. */
export const labelledTotals = (lines: readonly Line[]): readonly Scored[] => {
  const summary = lines.find(({ text }) => wordsIn(text).some((word) => isOneOf(word, ['summary'])));
  const start = summary ? lines.indexOf(summary) : 0;
  const layout = layoutOf(lines);
  return lines.flatMap((line, index) => {
    const isAfter = index >= start && line.place.page === summary?.place.page;
    const weight = isAfter ? AFTER_SUMMARY : 1;
    const below = amountsBelow(line, layout);
    if (below.length > 0) return below.map((one) => ({ ...one, score: one.score * weight }));
    const score = totalness(wordsIn(line.text)) * weight;
    return score > 0 ? amountBeside(lines, index, score) : [];
  });
};

/** A total that differs in one digit from an amount that arithmetic speaks for, as it does not for the total: that one too. */
export const withBetterReadings = (
  labelled: readonly Scored[],
  lines: readonly Line[],
  agrees: (amount: Amount) => boolean,
): readonly Scored[] => {
  const better = lines.flatMap((line) => amountsIn(line.text).map((amount) => ({ amount, line })));
  const others = labelled
    .filter(({ amount }) => !agrees(amount))
    .flatMap(({ amount, score }) => {
      const found = better.find((one) => agrees(one.amount) && isOneDigitOff(one.amount.text, amount.text));
      return found ? [{ ...found, score: score * 0.9 }] : [];
    });
  return [...labelled, ...others];
};

const isOneDigitOff = (a: string, b: string): boolean => {
  const [left, right] = [a, b].map((text) => text.replace(/\D/g, ''));
  if (!left || !right || left.length !== right.length || left.length < 3) return false;
  return [...left].filter((digit, index) => digit !== right[index]).length === 1;
};

/** The last amount of a line, or of the next one when that holds nothing else. */
const amountBeside = (lines: readonly Line[], index: number, score: number): readonly Scored[] => {
  const next = lines[index + 1];
  const beside = [lines[index], next && !/\p{L}{3}/u.test(next.text) ? next : undefined];
  for (const line of beside) {
    const amounts = line ? amountsIn(line.text) : [];
    const amount = amounts.filter(({ decimals }) => decimals).at(-1) ?? amounts.at(-1);
    if (line && amount && isSum(amount))
      return [{ amount, line, score: amount.decimals ? score : score * WHOLE }];
  }
  return [];
};

/** A credit is negative; a number behind a dash is none. */
const isSum = ({ value, decimals }: Amount): boolean => value > 0 || (value < 0 && decimals);

const WHOLE = 0.55;
const MAX_COLUMNS = 12;

/** The amounts in the columns below labels for a total that stand side by side; none below those of a table of items. */
const amountsBelow = (line: Line, layout: Layout): readonly Scored[] => {
  const cells = [...new Set(line.words.flatMap((word) => layout.cellOf(word) ?? []))];
  if (cells.length < 2 || cells.length > MAX_COLUMNS || amountsIn(line.text).length > 0) return [];
  if (wordsIn(line.text).some((word) => isOneOf(word, ITEM_WORDS))) return [];
  return cells.flatMap((cell) => {
    const score = totalness(wordsIn(cell.text));
    const below = score > 0 ? layout.next(cell, 'below') : null;
    if (!below) return [];
    const words = layout.inColumn(below, cell);
    const [amount, ...others] = amountsIn(words.map(({ text }) => text).join(' '));
    const [first] = words;
    if (!amount || others.length > 0 || !first || !isSum(amount)) return [];
    const start = startOf(below.line.words, below.line.words.indexOf(first));
    const placed = { ...amount, start: start + amount.start, end: start + amount.end };
    return [{ amount: placed, line: below.line, score: amount.decimals ? score : score * WHOLE }];
  });
};
