import type { Line } from '../page.ts';
import { type Amount, amountsIn } from './amounts.ts';
import { type Candidate, candidate, wordsWithin } from './candidate.ts';
import { isOneOf, wordsIn } from './labels.ts';

type Scored = Readonly<{ amount: Amount; line: Line; score: number }>;

/**
 * The amounts that may be the one that was paid: those beside words for a total, less likely beside words for a
 * subtotal, tax, quantity or payment, likelier when cash less change or a card payment gives the same; where nothing
 * says "total", the largest one.
 */
export const totalCandidates = (lines: readonly Line[]): readonly Candidate[] => {
  const summary = lines.findIndex(({ text }) => wordsIn(text).some((word) => isOneOf(word, ['summary'])));
  const labelled = lines.flatMap((line, index) => {
    const score = totalness(wordsIn(line.text)) * (summary >= 0 && index >= summary ? AFTER_SUMMARY : 1);
    return score > 0 ? amountBeside(lines, index, score) : [];
  });
  const scored = labelled.length > 0 ? labelled : largest(lines);
  const paid = paidAmounts(lines);
  return scored.map(({ amount, line, score }) => {
    const agrees = paid.some((one) => same(one, amount.value)) ? PAID : 0;
    const repeated = scored.some((other) => other.line !== line && same(other.amount.value, amount.value))
      ? REPEATED
      : 0;
    const likely = 0.97 - 0.75 * (1 - Math.min(1, score)) ** 1.2 + agrees + repeated;
    return candidate(amount.text, likely, line, wordsWithin(line, amount.start, amount.end));
  });
};

const AFTER_SUMMARY = 0.4;
const PAID = 0.25;
const REPEATED = 0.08;

/** How strongly a line's words say that its amount is the one to be paid, 0..1. */
const totalness = (words: readonly string[]): number => {
  const has = (...vocabulary: string[]): boolean => words.some((word) => isOneOf(word, vocabulary));
  const total = has('total', 'totals', 'ttl', 'gesamt', 'summe', 'jumlah', 'importe', 'totale');
  const amount = has('amount', 'balance', 'amt', 'betrag');
  if (has('subtotal') || (total && has('sub'))) return 0.4;
  if (!total && !(amount && has('due', 'payable', 'paid'))) return 0;
  if (has('quantity', 'qty', 'items', 'item', 'discount', 'disc', 'savings', 'saving', 'points', 'change'))
    return 0.05;
  if (has('excluding', 'excl', 'exclusive', 'before', 'exc')) return 0.3;
  if (has('included') && words.includes('in')) return 0.15;
  const inclusive = has('inclusive', 'including', 'includes', 'included', 'incl', 'inc');
  if (!inclusive && has('tax', 'gst', 'vat', 'sst', 'mwst', 'tva')) return 0.15;
  if (has('rounding', 'adjustment', 'adj', 'cash', 'tendered')) return 0.2;
  if (has('grand', 'payable', 'due', 'rounded', 'nett', 'net')) return 1;
  return inclusive ? 0.92 : amount || has('sales', 'bill', 'paid') ? 0.88 : 0.85;
};

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

const largest = (lines: readonly Line[]): readonly Scored[] => {
  const all = lines.flatMap((line) =>
    amountsIn(line.text)
      .filter(({ decimals }) => decimals)
      .map((amount) => ({ amount, line, score: 0.25 })),
  );
  const most = Math.max(...all.map(({ amount }) => amount.value));
  return all.filter(({ amount }) => amount.value === most).slice(0, 1);
};

const MOST_PAYMENTS = 20;

/** What a payment line says was paid, and cash less change. */
const paidAmounts = (lines: readonly Line[]): readonly number[] => {
  const beside = (...vocabulary: string[]): readonly number[] =>
    lines
      .filter(({ text }) =>
        wordsIn(text)
          .slice(0, 3)
          .some((word) => isOneOf(word, vocabulary)),
      )
      .flatMap(({ text }) =>
        amountsIn(text)
          .filter(({ decimals }) => decimals)
          .slice(-1),
      )
      .map(({ value }) => value)
      .slice(0, MOST_PAYMENTS);
  const cash = beside('cash', 'tendered', 'tender', 'payment', 'paid', 'visa', 'card', 'mastercard', 'debit');
  const change = beside('change');
  return [...cash, ...cash.flatMap((paid) => change.map((back) => paid - back))].filter((value) => value > 0);
};

const same = (a: number, b: number): boolean => Math.abs(a - b) < 0.005;
