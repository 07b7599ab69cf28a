import { groupBy } from '../../kernel/groupBy.ts';
import { type Line, type Word, withWords } from '../page.ts';
import { WORD_PAIRS } from './vocabulary.ts';
import { editDistance, foldLookalikes, similarity } from './words.ts';

const CERTAIN = 0.93;
/** Words read more surely than this are probably rare rather than misread; the limit is higher for some. */
const DOUBTED = 0.75;
const DOUBTED_LONG = 0.85;
const DOUBTED_REPEATED = 0.9;
const MIN_LENGTH = 5;
const MAX_LENGTH = 30;
const MAX_WORDS = 3_000;

/**
 * Lines in which words that were not read surely are corrected by those that were, elsewhere in the document,
 * as names are repeated. Only words of six letters or more that differ in one letter, which recognition
 * confuses.
 */
export const correctByRepetition = (lines: readonly Line[]): readonly Line[] => {
  const all = lines.flatMap(({ words }) => words).slice(0, MAX_WORDS);
  const sure = sureWords(all.filter(({ confidence }) => confidence >= CERTAIN));
  if (sure.whole.size === 0) return lines;
  return lines.map((line) => {
    const words = line.words.map((word) => corrected(word, sure));
    return words.every((word, index) => word === line.words[index]) ? line : withWords(line, words);
  });
};

/** Words in capitals with their spelling, also by their rest without a letter: to compare all is slow. */
const sureWords = (words: readonly Word[]) => {
  const cores = words.map(lettersIn).filter(isLong);
  const whole = new Map(cores.reverse().map((core) => [core.toUpperCase(), core]));
  const rests = [...whole.keys()].flatMap((upper) => withoutOne(upper).map((rest) => ({ rest, upper })));
  return { whole, byRest: groupBy(rests, ({ rest }) => rest) };
};

/** A word with each of its letters in turn replaced by a blank. */
const withoutOne = (word: string): readonly string[] =>
  Array.from(word, (_, index) => `${word.slice(0, index)} ${word.slice(index + 1)}`);

const lettersIn = ({ text }: Word): string => /\p{L}{4,}/u.exec(text)?.[0] ?? '';

const isLong = ({ length }: string): boolean => length > MIN_LENGTH && length <= MAX_LENGTH;

const corrected = (word: Word, { whole, byRest }: ReturnType<typeof sureWords>): Word => {
  if (word.confidence >= DOUBTED_REPEATED || word.confidence === 0) return word;
  const core = lettersIn(word);
  const upper = core.toUpperCase();
  if (!isLong(core) || whole.has(upper)) return word;
  const other = withoutOne(upper)
    .flatMap((rest) => byRest.get(rest) ?? [])
    .find((one) => isConfusion(upper, one.upper));
  const found = other && whole.get(other.upper);
  return found ? respelled(word, core, found, word.confidence) : word;
};

/** Letters that recognition confuses, in capitals. */
const CONFUSED = 'O0QDC I1LJT7 B8R BH S5 EF CGE6 GB6 Z2 UV VY NMH WV KX PFR A4'.split(' ');

const areConfused = (a: string, b: string): boolean =>
  CONFUSED.some((letters) => letters.includes(a) && letters.includes(b));

/** Whether words in capitals differ in one letter that recognition confuses. */
const isConfusion = (read: string, term: string): boolean => {
  if (read.length !== term.length) return false;
  const first = [...read].findIndex((letter, index) => letter !== term[index]);
  return (
    first >= 0 &&
    read.slice(first + 1) === term.slice(first + 1) &&
    areConfused(read.charAt(first), term.charAt(first))
  );
};

const CORRECTED = { min: 0.65, max: 0.8 };
/** Five letters with one changed are often another word: only what is barely legible is corrected. */
const BARELY_LEGIBLE = 0.6;
/** Words of this length are hardly another word when any letter differs. */
const LONG = 8;
/** One letter of eight, two of fourteen. */
const CLOSE = 0.85;

/**
 * A word that was not read surely, as the word of a vocabulary (in small letters) that it stands for: digits
 * in it are corrected in any case, letters only where the word is doubtful.
 */
export const correctByVocabulary = (word: Word, vocabulary: readonly string[]): Word => {
  const core = /[\p{L}\p{N}]+/u.exec(word.text)?.[0] ?? '';
  const lower = core.toLowerCase();
  if (word.confidence >= CERTAIN || lower.length < MIN_LENGTH || vocabulary.includes(lower)) return word;
  const hasDigits = /\d/.test(core);
  const term = vocabulary.find(
    (one) =>
      (hasDigits && foldLookalikes(one) === foldLookalikes(lower)) || standsFor(lower, word.confidence, one),
  );
  if (term === undefined) return word;
  const confidence = Math.min(CORRECTED.max, Math.max(word.confidence, CORRECTED.min));
  return respelled(word, core, term, confidence);
};

const standsFor = (read: string, confidence: number, term: string): boolean => {
  // A word and its plural are two words.
  if (read.startsWith(term) || term.startsWith(read)) return false;
  if (read.length >= LONG && confidence < DOUBTED_LONG) return similarity(read, term) >= CLOSE;
  const least = confidence < BARELY_LEGIBLE ? MIN_LENGTH : MIN_LENGTH + 1;
  return confidence < DOUBTED && read.length >= least && isConfusion(read.toUpperCase(), term.toUpperCase());
};

/** A word whose core is another, in the case of the core. */
const respelled = (word: Word, core: string, other: string, confidence: number): Word => ({
  ...word,
  confidence,
  text: word.text.replace(core, inCaseOf(core, other)),
});

const inCaseOf = (model: string, text: string): string => {
  const capitals = model.match(/\p{Lu}/gu) ?? [];
  if (capitals.length > model.length / 2) return text.toUpperCase();
  if (model === model.toLowerCase()) return text.toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
};

const SURE_NEIGHBOUR = 0.85;
const CORRECTED_PAIR = 0.7;

/** Words with doubtful ones corrected by a neighbour that usually accompanies them: "KUALA LUNPUR". */
export const correctPairs = (words: readonly Word[]): readonly Word[] =>
  words.map((word, index) => {
    if (word.confidence >= DOUBTED) return word;
    const [before, after] = [words[index - 1], words[index + 1]];
    const term =
      WORD_PAIRS.find(([first, second]) => isSurely(before, first) && isAlmost(word, second))?.[1] ??
      WORD_PAIRS.find(([first, second]) => isSurely(after, second) && isAlmost(word, first))?.[0];
    const core = coreOf(word);
    if (term === undefined || core.toLowerCase() === term) return word;
    return respelled(word, core, term, Math.max(CORRECTED_PAIR, word.confidence));
  });

const coreOf = ({ text }: Word): string =>
  /[\p{L}\p{N}]+(?:[^\p{L}\p{N}]+[\p{L}\p{N}]+)*/u.exec(text)?.[0] ?? '';

const isSurely = (word: Word | undefined, term: string | undefined): boolean =>
  word !== undefined && word.confidence >= SURE_NEIGHBOUR && coreOf(word).toLowerCase() === term;

/** Whether a word differs from a term in one letter, or in two where the term has six. */
const isAlmost = (word: Word, term: string | undefined): boolean => {
  const read = coreOf(word).toLowerCase();
  if (term === undefined || read.length < 3) return false;
  return editDistance(read, term) <= (term.length < 6 ? 1 : 2);
};
