import type { OutputField } from '../../domain/workflow.ts';
import type { Line } from '../page.ts';
import { findPhrase, phrasesOf, shortPhrasesOf, unconfused, wordsIn } from './labels.ts';

/** A part of a printed word (counted in its line) as it is compared. */
export type Piece = Readonly<{ text: string; word: number }>;

/** Where a label stands in the words of a line as printed, and how surely. */
type Match = Readonly<{ start: number; end: number; score: number }>;

const MOST_PHRASES = 40;

/** The words of a line in pieces, as labels are looked for among them. */
export const piecesOf = (line: Line): readonly Piece[] =>
  line.words.flatMap(({ text }, word) => wordsIn(text).map((piece) => ({ text: unconfused(piece), word })));

/** Finds the labels of a field in a line: its name, its label and their usual short forms. */
export const labelMatcher = (field: OutputField) => {
  const phrases = phrasesOf(field)
    .slice(0, 1 + MOST_PHRASES)
    .map((phrase) => phrase.map(unconfused));
  const short = shortPhrasesOf(field).map((phrase) => phrase.map(unconfused));
  return (line: Line, pieces: readonly Piece[]): readonly Match[] => {
    const texts = pieces.map(({ text }) => text);
    return [
      ...phrases.flatMap((phrase) => numbered(field, pieces, labelIn(phrase, pieces, texts))),
      ...short.flatMap((phrase) => shortened(field, line, labelIn(phrase, pieces, texts))),
    ];
  };
};

const labelIn = (
  phrase: readonly string[],
  pieces: readonly Piece[],
  texts: readonly string[],
): Match | null => {
  const found = findPhrase(phrase, texts);
  const last = found && pieces[found.start + phrase.length - 1];
  return found && last
    ? { score: found.score, start: pieces[found.start]?.word ?? 0, end: last.word + 1 }
    : null;
};

/** "GST ID : 0123" states no amount of GST, but a number of it: a label goes on to the end of such words. */
const numbered = ({ type }: OutputField, pieces: readonly Piece[], match: Match | null): readonly Match[] => {
  if (!match) return [];
  const after = pieces.filter(({ word }) => word >= match.end);
  const count = after.findIndex(({ text }) => !OF_NUMBERS.includes(text));
  const last = after[(count < 0 ? after.length : count) - 1];
  // "ID:GB123" is a word with its value.
  if (!last || after[count]?.word === last.word) return [match];
  return [{ ...match, end: last.word + 1, score: match.score * (type === 'number' ? NO_SUM : NUMBERED) }];
};

/** A short label is one where its value follows at once: a colon or "#", or the number itself. */
const shortened = ({ type }: OutputField, line: Line, match: Match | null): readonly Match[] => {
  if (!match) return [];
  const [last, next] = [line.words[match.end - 1]?.text ?? '', line.words[match.end]?.text ?? ''];
  const ends = type === 'number' ? /\d/.test(next) : /[:#=]$/.test(last) || /^[:#=]/.test(next);
  return ends ? [{ ...match, score: match.score * SHORT }] : [];
};

const OF_NUMBERS = ['no', 'nr', 'id', 'number', 'num', 'reg', 'registration', 'code'].map(unconfused);
const NUMBERED = 0.95;
const NO_SUM = 0.3;
const SHORT = 0.85;
