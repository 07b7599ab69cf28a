import type { RecognisedWord } from '../../../domain/fraud/pages.ts';
import { changesBetween, longestCommon } from './common.ts';
import { isNumber, plain } from './words.ts';

/** Two words that are both this sure, and not the same, are two words. Of 55 altered copies four had one such pair that was misread, none two. */
const SURE = 0.9;
/**
 * So many words that are surely other ones are another document, more of a long page, of which more is misread; one alone is, where hardly anything else was
 * read differently.
 */
const OTHER_DOCUMENT = { least: 2, share: 0.01 };
const READ_ALIKE = { words: 8, unlike: 1, share: 0.02 };

/** What the words of two pages say: how many of one's stand on the other in that order, which of the sure numbers of either stand on both, and how many words are other ones. */
export type WordsCompared = Readonly<{
  compared: number;
  same: number;
  /** How many words the page has that has fewer. */
  fewest: number;
  numbers: Readonly<{ compared: number; same: number }>;
  /** Numbers that may be other ones, or misread. */
  doubtful: number;
  /** Whether they are the words of two documents. */
  differs: boolean;
}>;

/** Compares the words of two pages: those that stand between the same neighbours with each other. */
export const compareWords = (
  one: readonly RecognisedWord[],
  other: readonly RecognisedWord[],
): WordsCompared => {
  const [own, others] = [wordsWithTexts(one), wordsWithTexts(other)];
  const common = longestCommon(textsOf(own), textsOf(others));
  const gaps = gapsBetween(own, others, common);
  const pairs = gaps.flatMap(otherNumbers);
  const surely = pairs.filter(isSure).length + gaps.reduce((sum, gap) => sum + otherWords(gap), 0);
  const fewest = Math.min(one.length, other.length);
  const unlike = fewest - common.length - surely;
  const readAlike =
    fewest >= READ_ALIKE.words && unlike <= Math.max(READ_ALIKE.unlike, READ_ALIKE.share * fewest);
  const isOther = surely >= Math.max(OTHER_DOCUMENT.least, OTHER_DOCUMENT.share * fewest);
  return {
    compared: one.length,
    same: common.length,
    fewest,
    numbers: numbersIn(own, others),
    doubtful: pairs.length,
    differs: isOther || (surely > 0 && readAlike),
  };
};

/** A word and its plain text, which takes longest to make. */
type Word = RecognisedWord & Readonly<{ plainly: string }>;
type Words = readonly Word[];
type Pair = readonly [Word, Word];
/** Words that stand between the same neighbours, and nowhere on the other page. */
type Gap = Readonly<{ words: Words; others: Words }>;

const wordsWithTexts = (words: readonly RecognisedWord[]): Words =>
  words.map((word) => ({ ...word, plainly: plain(word.text) }));

const textsOf = (words: Words): readonly string[] => words.map(({ plainly }) => plainly);

const gapsBetween = (one: Words, other: Words, common: ReturnType<typeof longestCommon>): readonly Gap[] => {
  const [own, others] = [new Set(textsOf(one)), new Set(textsOf(other))];
  return [...common, [one.length, other.length] as const].map(([to, otherTo], n) => {
    const [from, otherFrom] = common[n - 1] ?? [-1, -1];
    return {
      words: one.slice(from + 1, to).filter(({ plainly }) => !others.has(plainly)),
      others: other.slice(otherFrom + 1, otherTo).filter(({ plainly }) => !own.has(plainly)),
    };
  });
};

const isSure = (pair: Pair): boolean => pair.every(({ confidence }) => confidence >= SURE);

/** Numbers of one form that stand for each other between the same neighbours: where there are as many of a form on both pages. */
const otherNumbers = ({ words, others }: Gap): readonly Pair[] => {
  const numbers = words.filter(isNumber);
  const forms = [...new Set(numbers.map(({ text }) => formOf(text)))];
  return forms.flatMap((form) => {
    const own = numbers.filter(({ text }) => formOf(text) === form);
    const theirs = others.filter((word) => isNumber(word) && formOf(word.text) === form);
    if (own.length !== theirs.length) return [];
    return own.flatMap((word, n) => {
      const other = theirs[n];
      return other ? [[word, other] as const] : [];
    });
  });
};

/** How many sure words without digits stand on either page where the other has ones of which they are no misreading. */
const otherWords = ({ words, others }: Gap): number => {
  const [own, theirs] = [words.filter(isSureText), others.filter(isSureText)];
  const unlike = own.filter((word) => others.every((other) => isUnlike(word, other)));
  const unlikeTheirs = theirs.filter((other) => words.every((word) => isUnlike(word, other)));
  return Math.min(unlike.length, unlikeTheirs.length);
};

const isSureText = ({ text, plainly, confidence }: Word): boolean =>
  confidence >= SURE && !/\d/.test(text) && plainly.length >= 3;

/** In no more of its letters a word is misread, once it is sure. */
const MISREAD = 0.4;

const isUnlike = ({ plainly: one }: Word, { plainly: other }: Word): boolean =>
  changesBetween(one, other) > MISREAD * Math.max(one.length, other.length);

const AMOUNT = /^[A-Z$]{0,3}\d[\d,]*\.\d\d$/;

/** How a number is written: 12/03/2018 and 30/11/2017 alike, and all amounts. What was read in part has another form. */
const formOf = (text: string): string =>
  AMOUNT.test(text) ? 'amount' : text.replace(/\d/g, '0').replace(/\p{L}/gu, 'a');

/** How many sure numbers either page has, and how many of them stand on both. */
const numbersIn = (one: Words, other: Words): WordsCompared['numbers'] => {
  const [own, others] = [new Set(textsOf(one)), new Set(textsOf(other))];
  const sure = [...one, ...other].filter((word) => isNumber(word) && word.confidence >= SURE);
  const texts = [...new Set(textsOf(sure))];
  return { compared: texts.length, same: texts.filter((text) => own.has(text) && others.has(text)).length };
};
