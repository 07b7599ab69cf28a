import { type Line, lineOf, type Word } from '../page.ts';
import { alike, unconfused } from './labels.ts';

const CERTAIN = 0.93;
/** What is read better than this is rather a rare word than a misread one; long words and those read elsewhere may be better. */
const DOUBTED = 0.75;
const RATHER = 0.85;
const FAIRLY = 0.9;
const SHORTEST = 5;
const LONGEST = 30;
const MOST_WORDS = 3_000;

/**
 * Lines in which a word that was not read with certainty is mended by one that was, elsewhere in the same document: names
 * stand in it more than once. Only words of six letters or more, which differ by one letter that recognition confuses.
 */
export const mendByRepetition = (lines: readonly Line[]): readonly Line[] => {
  const all = lines.flatMap(({ words }) => words).slice(0, MOST_WORDS);
  const sure = sureWords(all.filter(({ confidence }) => confidence >= CERTAIN));
  if (sure.whole.size === 0) return lines;
  return lines.map((line) => {
    const words = line.words.map((word) => mended(word, sure));
    return words.every((word, index) => word === line.words[index])
      ? line
      : lineOf(words, line.place, line.block);
  });
};

/** Words in capitals with how they are written, and by what is left of them without one letter: comparing all would take too long. */
type SureWords = Readonly<{
  whole: ReadonlyMap<string, string>;
  lacking: ReadonlyMap<string, readonly string[]>;
}>;

const sureWords = (words: readonly Word[]): SureWords => {
  const cores = words.map(coreOf).filter(isLong);
  const whole = new Map(cores.reverse().map((core) => [core.toUpperCase(), core]));
  const lacking = new Map<string, string[]>();
  for (const upper of whole.keys())
    for (const rest of lackingOne(upper)) {
      const found = lacking.get(rest);
      if (found) found.push(upper);
      else lacking.set(rest, [upper]);
    }
  return { whole, lacking };
};

/** A word without each of its letters in turn, a blank in its place. */
const lackingOne = (word: string): readonly string[] =>
  Array.from(word, (_, index) => `${word.slice(0, index)} ${word.slice(index + 1)}`);

const coreOf = ({ text }: Pick<Word, 'text'>): string => /\p{L}{4,}/u.exec(text)?.[0] ?? '';

const isLong = ({ length }: string): boolean => length > SHORTEST && length <= LONGEST;

const mended = (word: Word, { whole, lacking }: SureWords): Word => {
  if (word.confidence >= FAIRLY || word.confidence === 0) return word;
  const core = coreOf(word);
  const upper = core.toUpperCase();
  if (!isLong(core) || whole.has(upper)) return word;
  const known = lackingOne(upper)
    .flatMap((rest) => lacking.get(rest) ?? [])
    .find((other) => isConfusion(upper, other));
  const found = known && whole.get(known);
  return found ? { ...word, text: word.text.replace(core, inCaseOf(core, found)) } : word;
};

/** Letters that recognition takes for one another, in capitals. */
const CONFUSED = 'O0QDC I1LJT7 B8R BH S5 EF CGE6 GB6 Z2 UV VY NMH WV KX PFR A4'.split(' ');

const areConfused = (a: string, b: string): boolean =>
  CONFUSED.some((letters) => letters.includes(a) && letters.includes(b));

/** Whether words of one length, in capitals, differ in one letter that recognition confuses. */
const isConfusion = (read: string, known: string): boolean => {
  if (read.length !== known.length) return false;
  const first = [...read].findIndex((letter, index) => letter !== known[index]);
  return (
    first >= 0 &&
    read.slice(first + 1) === known.slice(first + 1) &&
    areConfused(read.charAt(first), known.charAt(first))
  );
};

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
