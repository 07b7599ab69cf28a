import { distance } from 'fastest-levenshtein';
import type { RecognisedWord } from '../../../domain/fraud/pages.ts';
import { isNumber, plain } from './words.ts';

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
  const [own, others] = [wordsWithTexts(one), wordsWithTexts(other)];
  const common = longestCommon(textsOf(own), textsOf(others));
  const gaps = gapsBetween(own, others, common);
  const pairs = gaps.flatMap(otherNumbers);
  const respaced = gaps.filter(isRespaced);
  const reworded = gaps.filter((gap) => !respaced.includes(gap));
  const surely = pairs.filter(isSure).length + sumOf(reworded.map(otherWords));
  const fewest = Math.min(one.length, other.length);
  const alike = sumOf(respaced.map((gap) => Math.min(gap.words.length, gap.others.length)));
  const unlike = fewest - common.length - surely - alike;
  const readAlike =
    fewest >= READ_ALIKE.words && unlike <= Math.max(READ_ALIKE.unlike, READ_ALIKE.share * fewest);
  const isOther = surely >= Math.max(OTHER_DOCUMENT.min, OTHER_DOCUMENT.share * fewest);
  return {
    compared: one.length,
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

/** A word and its plain text, which is costly to make. */
type Word = RecognisedWord & Readonly<{ plainText: string }>;
type Words = readonly Word[];
type Pair = readonly [Word, Word];
/** Words between the same neighbours that stand nowhere on the other page. */
type Gap = Readonly<{ words: Words; others: Words }>;

const wordsWithTexts = (words: readonly RecognisedWord[]): Words =>
  words.map((word) => ({ ...word, plainText: plain(word.text) }));

const textsOf = (words: Words): readonly string[] => words.map(({ plainText }) => plainText);

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

/** Words that are so short are left out of pages, and stand in others where a blank was missed. */
const SHORT = 2;

/** Whether the words of a gap say the same with other blanks between them. */
const isRespaced = (gap: Gap): boolean => {
  if (otherNumbers(gap).length > 0) return false;
  const [own, theirs] = [textsOf(gap.words).join(''), textsOf(gap.others).join('')];
  const isSame = own.includes(theirs) || theirs.includes(own);
  return own !== '' && theirs !== '' && isSame && Math.abs(own.length - theirs.length) <= SHORT;
};

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

const isSure = (pair: Pair): boolean => pair.every(({ confidence }) => confidence >= SURE);

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

/** The indexes of the longest common subsequence of two lists. */
const longestCommon = (
  one: readonly string[],
  other: readonly string[],
): readonly (readonly [number, number])[] => {
  const row = other.length + 1;
  const lengths = new Uint16Array((one.length + 1) * row);
  const at = (n: number, m: number): number => lengths[n * row + m] ?? 0;
  for (let n = one.length - 1; n >= 0; n -= 1)
    for (let m = other.length - 1; m >= 0; m -= 1)
      lengths[n * row + m] =
        one[n] === other[m] ? at(n + 1, m + 1) + 1 : Math.max(at(n + 1, m), at(n, m + 1));
  const pairs: (readonly [number, number])[] = [];
  let [n, m] = [0, 0];
  while (n < one.length && m < other.length) {
    if (one[n] === other[m]) {
      pairs.push([n, m]);
      n += 1;
      m += 1;
    } else if (at(n + 1, m) >= at(n, m + 1)) n += 1;
    else m += 1;
  }
  return pairs;
};
