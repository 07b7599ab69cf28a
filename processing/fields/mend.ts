import { type Line, lineOf, type Word } from '../page.ts';
import { alike, unconfused } from './labels.ts';

const CERTAIN = 0.93;
/** What is read better than this is rather a rare word than a misread one; long words and those read elsewhere may be better. */
const DOUBTED = 0.75;
const RATHER = 0.85;
const FAIRLY = 0.9;
const SHORTEST = 5;
const MOST_WORDS = 3_000;

/**
 * Lines in which a word that was not read with certainty is mended by one that was, elsewhere in the same document: names
 * stand in it more than once. Only words of six letters or more, which differ by one letter that recognition confuses.
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
  if (word.confidence >= FAIRLY || word.confidence === 0) return word;
  const core = coreOf(word.text);
  if (core.length <= SHORTEST) return word;
  const upper = core.toUpperCase();
  const better = sure.filter(({ core: other }) => other.toUpperCase() !== upper);
  const found = better.find(({ core: other }) => isConfusion(upper, other.toUpperCase()));
  if (!found || sure.some(({ core: other }) => other.toUpperCase() === upper)) return word;
  return { ...word, text: word.text.replace(core, inCaseOf(core, found.core)) };
};

/** Letters that recognition takes for one another, in capitals and small letters. */
const CONFUSED = [
  'O0QDC',
  'I1LJT7',
  'B8R',
  'S5',
  'EF',
  'CGE6',
  'GB6',
  'Z2',
  'UV',
  'VY',
  'NMH',
  'WV',
  'KX',
  'PFR',
  'A4',
];

const areConfused = (a: string, b: string): boolean =>
  CONFUSED.some((letters) => letters.includes(a) && letters.includes(b));

/** Whether words of one length, in capitals, differ in one letter that recognition confuses. */
const isConfusion = (read: string, known: string): boolean => {
  const [one, ...more] = differences(read, known) ?? [];
  return one !== undefined && more.length === 0 && areConfused(...one);
};

/** The pairs of letters in which words of one length differ; null for words of different lengths. */
const differences = (a: string, b: string): readonly (readonly [string, string])[] | null =>
  a.length !== b.length
    ? null
    : [...a].flatMap((letter, index) => {
        const other = b[index] ?? '';
        return letter === other ? [] : [[letter, other] as const];
      });

/** How sure a word is that was mended. */
const MENDED = { least: 0.65, most: 0.8 };
// Of five letters a fifth is soon another word: only what is hardly legible.
const HARDLY = 0.6;
/** Words as long as this are hardly another word when a letter differs, whichever. */
const LONG = 8;

/**
 * A word that was not read with certainty as the one of a vocabulary (in small letters) that it stands for: digits in it
 * are undone at any rate, a letter only where the word is doubted.
 */
export const mendByVocabulary = (word: Word, vocabulary: readonly string[]): Word => {
  const core = /[\p{L}\p{N}]+/u.exec(word.text)?.[0] ?? '';
  const lower = core.toLowerCase();
  if (word.confidence >= CERTAIN || lower.length < SHORTEST || vocabulary.includes(lower)) return word;
  const isPlain = !/\d/.test(core);
  const known = vocabulary.find(
    (one) => (!isPlain && unconfused(one) === unconfused(lower)) || standsFor(lower, word.confidence, one),
  );
  if (known === undefined) return word;
  const confidence = Math.min(MENDED.most, Math.max(word.confidence, MENDED.least));
  return { ...word, confidence, text: word.text.replace(core, inCaseOf(core, known)) };
};

/** Never where one begins with the other: a word and its plural are two. */
const standsFor = (read: string, confidence: number, known: string): boolean => {
  if (read.startsWith(known) || known.startsWith(read)) return false;
  if (read.length >= LONG && confidence < RATHER) return alike(read, known) >= CLOSE;
  const least = confidence < HARDLY ? SHORTEST : SHORTEST + 1;
  return confidence < DOUBTED && read.length >= least && isConfusion(read.toUpperCase(), known.toUpperCase());
};

/** One letter of eight, two of fourteen. */
const CLOSE = 0.85;

/** A text in capitals, small letters or as it is, as another one stands. */
export const inCaseOf = (model: string, text: string): string => {
  const capitals = model.match(/\p{Lu}/gu) ?? [];
  if (capitals.length > model.length / 2) return text.toUpperCase();
  if (model === model.toLowerCase()) return text.toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
};
