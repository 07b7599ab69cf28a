import type { Line } from '../page.ts';
import { type Candidate, candidate, wordsWithin } from './candidate.ts';
import { datesIn, type FoundDate, type Order } from './dates.ts';
import { isOneOf, wordsIn } from './labels.ts';

/** The dates that may be the document's own: likelier beside "date" or a time of day, and when stated twice. */
export const dateCandidates = (lines: readonly Line[], order: Order): readonly Candidate[] => {
  const all = lines.flatMap((line) => {
    const dates = datesIn(line.text, order);
    return dates.map((date) => ({ date, line, alone: dates.length === 1 }));
  });
  return all.map(({ date, line, alone }, index) => {
    const repeated = all.some((other) => other.line !== line && other.date.iso === date.iso);
    const likely =
      0.72 +
      nearness(line, date) +
      (/\d{1,2}:\d{2}/.test(line.text) ? 0.12 : 0) +
      (repeated ? 0.1 : 0) +
      (index === 0 ? 0.05 : 0) -
      (alone ? 0 : 0.3) -
      (date.ambiguous ? 0.03 : 0) -
      (date.iso < '2000' ? 0.3 : 0);
    const words = wordsWithin(line, date.start, date.start + date.text.length);
    return candidate(date.text, likely, line, words);
  });
};

const nearness = (line: Line, { start }: FoundDate): number => {
  const before = wordsIn(line.text.slice(0, start));
  const says = (...vocabulary: string[]): boolean => before.some((word) => isOneOf(word, vocabulary));
  if (says('due', 'delivery', 'expiry', 'expires', 'exp', 'until', 'birth', 'born', 'valid', 'since'))
    return -0.4;
  return says('date', 'datum', 'tarikh', 'fecha', 'issued', 'dated', 'dt') ? 0.2 : 0;
};
