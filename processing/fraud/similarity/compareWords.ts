import { distance } from 'fastest-levenshtein';
import type { RecognisedWord } from '../../../domain/fraud/pages.ts';
import { longestCommon } from './longestCommon.ts';
import { respaced, textsOf, type Word, type Words, wordsWithTexts } from './respaced.ts';
import { isNumber } from './words.ts';

/** Of a sure word: of 55 altered copies four had one pair of sure words that differed, none two. */
const SURE = 0.9;
/**
 * How many sure words that differ make another document: more on a long page, of which more is misread, and
 * one where hardly anything else was read differently.
 */
const OTHER_DOCUMENT = { min: 2, share: 0.01 };
const READ_ALIKE = { words: 8, unlike: 1, share: 0.02 };

export type WordsCompared = ReturnType<typeof compareWords>;

/**
 * Compares the words of two pages: with each other those that stand between the same neighbours. How many
 * words of one page the other has in that order, and which sure numbers of either are on both.
 */
export const compareWords = (one: readonly RecognisedWord[], other: readonly RecognisedWord[]) => {
  const [own, others] = respaced(wordsWithTexts(one), wordsWithTexts(other));
  const common = longestCommon(textsOf(own), textsOf(others));
  const gaps = gapsBetween(own, others, common);
  const pairs = gaps.flatMap(otherNumbers);
  const surely = pairs.filter(isSure).length + sumOf(gaps.map(otherWords));
  const fewest = Math.min(own.length, others.length);
  const unlike = fewest - common.length - surely;
  const readAlike =
    fewest >= READ_ALIKE.words && unlike <= Math.max(READ_ALIKE.unlike, READ_ALIKE.share * fewest);
  const isOther = surely >= Math.max(OTHER_DOCUMENT.min, OTHER_DOCUMENT.share * fewest);
  return {
    compared: own.length,
    same: common.length,
    /** The words of the page that has fewer. */
    fewest,
    numbers: numbersIn(own, others),
    /** Numbers that differ, or were misread. */
    doubtful: pairs.length,
    /** Whether these are two documents. */
    differs: isOther || (surely > 0 && readAlike),
  };
};

type Pair = readonly [Word, Word];
/** Words between the same neighbours that stand nowhere on the other page. */
type Gap = Readonly<{ words: Words; others: Words }>;

const gapsBetween = (one: Words, other: Words, common: ReturnType<typeof longestCommon>): readonly Gap[] => {
  const [own, others] = [new Set(textsOf(one)), new Set(textsOf(other))];
  return [...common, [one.length, other.length] as const].map(([to, otherTo], n) => {
    const [from, otherFrom] = common[n - 1] ?? [-1, -1];
    return {
      words: one.slice(from + 1, to).filter(({ plainText }) => !others.has(plainText)),
      others: other.slice(otherFrom + 1, otherTo).filter(({ plainText }) => !own.has(plainText)),
    };
  });
};

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** Letters beside the same digits are misread: a number alone is known by its digits. */
const isSure = ([one, other]: Pair): boolean =>
  Math.min(one.confidence, other.confidence) >= SURE && digitsOf(one) !== digitsOf(other);

const digitsOf = ({ text }: Word): string => text.replace(/\D/g, '');

/** Numbers of one form that replace each other in a gap: where both pages have as many of the form. */
const otherNumbers = ({ words, others }: Gap): readonly Pair[] => {
  const numbers = words.filter(isNumber);
  const forms = [...new Set(numbers.map(({ text }) => formOf(text)))];
  return forms.flatMap((form) => {
    const own = numbers.filter(({ text }) => formOf(text) === form);
    const theirs = others.filter((word) => isNumber(word) && formOf(word.text) === form);
    if (own.length !== theirs.length) return [];
    return theirs.flatMap((other, n) => own.slice(n, n + 1).map((word) => [word, other] as const));
  });
};

/** How many sure words without digits stand on either page where the other has unlike words. */
const otherWords = ({ words, others }: Gap): number => {
  const [own, theirs] = [words.filter(isSureText), others.filter(isSureText)];
  const unlike = own.filter((word) => others.every((other) => isUnlike(word, other)));
  const unlikeTheirs = theirs.filter((other) => words.every((word) => isUnlike(word, other)));
  return Math.min(unlike.length, unlikeTheirs.length);
};

const isSureText = ({ text, plainText, confidence }: Word): boolean =>
  confidence >= SURE && !/\d/.test(text) && plainText.length >= 3;

/** The share of the letters of a sure word that may be misread. */
const MISREAD = 0.4;

const isUnlike = ({ plainText: one }: Word, { plainText: other }: Word): boolean =>
  distance(one, other) > MISREAD * Math.max(one.length, other.length);

const AMOUNT = /^[A-Z$]{0,3}\d[\d,]*\.\d\d$/;

/** The same for 12/03/2018 and 30/11/2017, and for all amounts; what was read in part has another form. */
const formOf = (text: string): string =>
  AMOUNT.test(text) ? 'amount' : text.replace(/\d/g, '0').replace(/\p{L}/gu, 'a');

/** The sure numbers of either page, and how many of them stand on both. */
const numbersIn = (one: Words, other: Words) => {
  const [own, others] = [new Set(textsOf(one)), new Set(textsOf(other))];
  const sure = [...one, ...other].filter((word) => isNumber(word) && word.confidence >= SURE);
  const texts = [...new Set(textsOf(sure))];
  return { compared: texts.length, same: texts.filter((text) => own.has(text) && others.has(text)).length };
};
