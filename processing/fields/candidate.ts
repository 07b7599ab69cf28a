import { around, type Line, type Word } from '../page.ts';
import type { Place } from '../types.ts';

/** A text that may be a field's value, where it was read, and how likely it is the right one (0..1). */
export type Candidate = Readonly<{ text: string; confidence: number; place: Place }>;

/** A candidate from some words of a line: `likely` (0..1) by the rules, lowered by doubts about its letters. */
export const candidate = (
  text: string,
  likely: number,
  line: Line,
  words: readonly Word[] = line.words,
): Candidate => ({
  text,
  confidence: Math.min(BEST, Math.max(0, likely) * legibility(words)),
  place: { ...line.place, box: around(words) ?? line.place.box },
});

/** How sure the letters of words are, 0..1: half from their mean, half from the worst. Without words 1. */
export const legibility = (words: readonly Word[]): number => {
  if (words.length === 0) return 1;
  const sure = words.map(({ confidence }) => confidence);
  const mean = sure.reduce((sum, one) => sum + one, 0) / sure.length;
  return mean / 2 + Math.min(...sure) / 2;
};

/** The words of a line that a stretch of its text covers. */
export const wordsWithin = (line: Line, start: number, end: number): readonly Word[] => {
  let at = 0;
  return line.words.filter(({ text }) => {
    const from = at;
    at += text.length + 1;
    return from < end && from + text.length > start;
  });
};

/** The likeliest of candidates, the first of equals; null of none. */
export const best = (candidates: readonly Candidate[]): Candidate | null =>
  candidates.reduce<Candidate | null>(
    (winner, next) => (winner && winner.confidence >= next.confidence ? winner : next),
    null,
  );

// Reading can always be wrong: only data given as data are certain.
const BEST = 0.99;
