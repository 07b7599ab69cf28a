import { type Line, lineOf, type Word } from '../page.ts';
import { alike } from './labels.ts';

const CERTAIN = 0.93;
const SHORTEST = 5;
const MOST_WORDS = 3_000;

/**
 * Lines in which a word that was not read with certainty is mended by one that was, elsewhere in the same document: names
 * stand in it more than once. Only words of letters, which differ by one letter of at least six.
 */
export const mendByRepetition = (lines: readonly Line[]): readonly Line[] => {
  const all = lines.flatMap(({ words }) => words.map(split)).slice(0, MOST_WORDS);
  const sure = all.filter(({ core, confidence }) => core.length > SHORTEST && confidence >= CERTAIN);
  if (sure.length === 0) return lines;
  return lines.map((line) => {
    const words = line.words.map((word) => mended(word, sure));
    return words.every((word, index) => word === line.words[index])
      ? line
      : lineOf(words, line.place, line.block);
  });
};

type Split = Readonly<{ core: string; confidence: number }>;

const split = ({ text, confidence }: Word): Split => ({ core: coreOf(text), confidence });

const coreOf = (text: string): string => /\p{L}{4,}/u.exec(text)?.[0] ?? '';

const mended = (word: Word, sure: readonly Split[]): Word => {
  if (word.confidence >= CERTAIN || word.confidence === 0) return word;
  const core = coreOf(word.text);
  if (core.length <= SHORTEST) return word;
  const upper = core.toUpperCase();
  const better = sure.filter(
    ({ core: other }) => other.length === core.length && other.toUpperCase() !== upper,
  );
  const found = better.find(({ core: other }) => differences(other.toUpperCase(), upper) === 1);
  if (!found || sure.some(({ core: other }) => other.toUpperCase() === upper)) return word;
  return { ...word, text: word.text.replace(core, inCaseOf(core, found.core)) };
};

/** How many letters differ in words of one length. */
const differences = (a: string, b: string): number =>
  [...a].filter((letter, index) => letter !== b[index]).length;

// Of five letters a fifth is soon another word: only what is hardly legible.
const HARDLY = 0.6;

/** A word that was not read with certainty as the one of a vocabulary (in small letters) that it is almost. */
export const mendByVocabulary = (word: Word, vocabulary: readonly string[]): Word => {
  const core = /[\p{L}\p{N}]+/u.exec(word.text)?.[0] ?? '';
  const lower = core.toLowerCase();
  const least = word.confidence < HARDLY ? 5 : 6;
  if (word.confidence >= CERTAIN || lower.length < least || vocabulary.includes(lower)) return word;
  const best = vocabulary
    .filter((known) => known.length >= 5)
    .map((known) => ({ known, score: alike(lower, known) }))
    .reduce((a, b) => (b.score > a.score ? b : a), { known: lower, score: 0 });
  if (best.score === 0) return word;
  const confidence = Math.max(word.confidence, 0.8);
  return { ...word, confidence, text: word.text.replace(core, inCaseOf(core, best.known)) };
};

/** A text in capitals, small letters or as it is, as another one stands. */
const inCaseOf = (model: string, text: string): string => {
  if (model === model.toUpperCase()) return text.toUpperCase();
  if (model === model.toLowerCase()) return text.toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
};
