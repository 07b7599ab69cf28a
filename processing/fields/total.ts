import type { Line } from '../page.ts';
import { type Amount, amountsIn } from './amounts.ts';
import { PAYMENTS, type Paid, paidByArithmetic } from './arithmetic.ts';
import { type Candidate, candidate, startOf, wordsWithin } from './candidate.ts';
import { isOneOf, wordsIn } from './labels.ts';
import { type Layout, layoutOf } from './layout.ts';
import { byFile, isUnfinished } from './pages.ts';
import { totalness } from './totalness.ts';

type Scored = Readonly<{ amount: Amount; line: Line; score: number }>;

/**
 * The amounts that may be the one that was paid: those beside words for a total, less likely beside words for a
 * subtotal, tax, quantity or payment, likelier when cash less change or a card payment gives the same; where nothing
 * says "total", the largest one. Of several pages the last that states one.
 */
export const totalCandidates = (lines: readonly Line[]): readonly Candidate[] => {
  const labelled = labelledTotals(lines);
  const last = labelled.filter(({ score }) => score >= STATED).at(-1)?.line.place.page;
  const paid = paidByArithmetic(lines);
  const isIn = (values: readonly number[], { value }: Amount): boolean =>
    values.some((one) => same(one, value));
  const scored =
    labelled.length > 0
      ? [
          ...withBetterReadings(labelled, lines, (amount) => isIn(paid.derived, amount)),
          ...roundedPayments(labelled, lines, paid),
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
  return scored.map(({ amount, line, score }) => {
    const repeated = scored.some((other) => other.line !== line && same(other.amount.value, amount.value));
    const likely =
      0.95 -
      0.75 * (1 - Math.min(1, score)) ** 1.2 +
      (isIn(paid.exact, amount)
        ? PAID
        : isIn(paid.all, amount)
          ? ALMOST_PAID
          : contradicted
            ? CONTRADICTED
            : 0) +
      (isRounded(amount, line) ? ROUNDED : 0) +
      (repeated ? REPEATED : 0) +
      (last !== undefined && line.place.page < last ? EARLIER_PAGE : 0);
    return candidate(amount.text, likely, line, wordsWithin(line, amount.start, amount.end));
  });
};

/**
 * The lines among which a document's total stands: those of the first file that states one, but for a file that breaks off
 * ("page 1 of 2"). What comes after is an attachment with sums of its own. All lines where no file states a total.
 */
export const totalLines = (lines: readonly Line[]): readonly Line[] => {
  const stating = byFile(lines).filter((file) => labelledTotals(file).some(({ score }) => score >= STATED));
  return stating.find((file) => !isUnfinished(file)) ?? stating.at(-1) ?? lines;
};

/** Amounts beside or below words for a total. */
const labelledTotals = (lines: readonly Line[]): readonly Scored[] => {
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
const withBetterReadings = (
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

/** How strongly words say "total" where one is stated, rather than a sum on the way to it. */
const STATED = 0.8;
const EARLIER_PAGE = -0.2;
const CONTRADICTED = -0.08;
const AFTER_SUMMARY = 0.4;
const PAID = 0.25;
const ALMOST_PAID = 0.15;
const ROUNDED = 0.15;
const REPEATED = 0.08;

/** The last amount of a line, or of the next one when that holds nothing else. */
const amountBeside = (lines: readonly Line[], index: number, score: number): readonly Scored[] => {
  const next = lines[index + 1];
  const beside = [lines[index], next && !/\p{L}{3}/u.test(next.text) ? next : undefined];
  for (const line of beside) {
    const amounts = line ? amountsIn(line.text) : [];
    const amount = amounts.filter(({ decimals }) => decimals).at(-1) ?? amounts.at(-1);
    if (line && amount && amount.value > 0)
      return [{ amount, line, score: amount.decimals ? score : score * WHOLE }];
  }
  return [];
};

const WHOLE = 0.55;
const MOST_COLUMNS = 12;

/** The amounts in the columns below labels for a total that stand side by side; none below those of a table of items. */
const amountsBelow = (line: Line, layout: Layout): readonly Scored[] => {
  const cells = [...new Set(line.words.flatMap((word) => layout.cellOf(word) ?? []))];
  if (cells.length < 2 || cells.length > MOST_COLUMNS || amountsIn(line.text).length > 0) return [];
  if (wordsIn(line.text).some((word) => isOneOf(word, OF_ITEMS))) return [];
  return cells.flatMap((cell) => {
    const score = totalness(wordsIn(cell.text));
    const below = score > 0 ? layout.next(cell, 'below') : null;
    if (!below) return [];
    const words = layout.inColumn(below, cell);
    const [amount, ...others] = amountsIn(words.map(({ text }) => text).join(' '));
    const [first] = words;
    if (!amount || others.length > 0 || !first || amount.value <= 0) return [];
    const start = startOf(below.line.words, below.line.words.indexOf(first));
    const placed = { ...amount, start: start + amount.start, end: start + amount.end };
    return [{ amount: placed, line: below.line, score: amount.decimals ? score : score * WHOLE }];
  });
};

const OF_ITEMS = [
  ...[
    'description',
    'item',
    'items',
    'qty',
    'quantity',
    'price',
    'unit',
    'product',
    'article',
    'particulars',
  ],
  ...['artikel', 'menge', 'einzelpreis', 'bezeichnung', 'harga', 'kuantiti', 'cantidad', 'precio', 'prix'],
];

/** Where nothing says "total": what cash less change comes to, else the largest amount that is no payment. */
const unlabelled = (lines: readonly Line[], paid: Paid): readonly Scored[] => {
  const all = lines.flatMap((line) => amountsWithDecimals(line).map((amount) => ({ amount, line })));
  const derived = all.find(({ amount }) => paid.derived.some((value) => same(value, amount.value)));
  if (derived) return [{ ...derived, score: 0.4 }];
  const goods = all.filter(({ line }) => !isPayment(line));
  const most = largestOf(goods.length > 0 ? goods : all);
  return most ? [{ ...most, score: 0.25 }] : [];
};

/** Payments of a total as it was rounded, where no line states that total. */
const roundedPayments = (
  labelled: readonly Scored[],
  lines: readonly Line[],
  { rounding }: Paid,
): readonly Scored[] =>
  lines.filter(isPayment).flatMap((line) =>
    amountsWithDecimals(line).flatMap((amount) => {
      const of = labelled.find((one) =>
        rounding.some((round) => same(Math.abs(one.amount.value - amount.value), Math.abs(round))),
      );
      return of && !labelled.some((one) => same(one.amount.value, amount.value))
        ? [{ amount, line, score: of.score }]
        : [];
    }),
  );

const isPayment = ({ text }: Line): boolean =>
  wordsIn(text)
    .slice(0, 3)
    .some((word) => isOneOf(word, PAYMENTS));

const amountsWithDecimals = (line: Line): readonly Amount[] =>
  amountsIn(line.text).filter(({ decimals }) => decimals);

const largestOf = (all: readonly Omit<Scored, 'score'>[]) =>
  all.toSorted((a, b) => b.amount.value - a.amount.value)[0];

const same = (a: number, b: number): boolean => Math.abs(a - b) < 0.005;
