import type { OutputField } from '../../domain/workflow.ts';
import type { Line, Word } from '../page.ts';
import { type Candidate, candidate } from './candidate.ts';
import { findPhrase, phrasesOf, wordsIn } from './labels.ts';

/** Texts that stand after, or below, something like a field's label: whole, and each of their words. */
export const labelledCandidates = (field: OutputField, lines: readonly Line[]): readonly Candidate[] =>
  lines.flatMap((line, index) =>
    phrasesOf(field)
      .slice(0, 1 + MOST_PHRASES)
      .flatMap((phrase) => {
        const found = endOfLabel(phrase, line.words);
        if (!found) return [];
        const rest = value(line.words.slice(found.end));
        if (rest.length > 0) return parts(line, rest, 0.95 * found.score);
        const below = lines[index + 1];
        return below ? parts(below, value(below.words), 0.8 * found.score) : [];
      }),
  );

const MOST_PHRASES = 40;
const MOST_WORDS = 12;

/** The words of a line joined up to where a field's label ends, counted in words as printed. */
const endOfLabel = (phrase: readonly string[], words: readonly Word[]) => {
  const pieces = words.flatMap(({ text }, index) => wordsIn(text).map((piece) => ({ piece, index })));
  const found = findPhrase(
    phrase,
    pieces.map(({ piece }) => piece),
  );
  return found && { score: found.score, end: (pieces[found.end - 1]?.index ?? 0) + 1 };
};

/** A value ends where the next label begins ("No: 17 Date: …"); marks between label and value are no part of it. */
const value = (words: readonly Word[]): readonly Word[] => {
  const start = words.findIndex(({ text }) => /[\p{L}\p{N}]/u.test(text));
  if (start < 0) return [];
  const rest = words.slice(start, start + MOST_WORDS);
  const next = rest.findIndex(({ text }, index) => index > 0 && /\p{L}[:=]$/u.test(text));
  return next < 0 ? rest : rest.slice(0, next);
};

const parts = (line: Line, words: readonly Word[], likely: number): readonly Candidate[] => {
  const whole = text(words);
  const single =
    words.length > 1 ? words.map((word) => candidate(text([word]), likely - 0.1, line, [word])) : [];
  return whole === '' ? [] : [candidate(whole, likely, line, words), ...single];
};

const text = (words: readonly Word[]): string =>
  words
    .map((word) => word.text)
    .join(' ')
    .replace(/^[:=#\s]+|[\s|]+$/g, '');
