import type { PrintedWord } from '../../domain/submission/prints.ts';
import { changesBetween, longestCommon } from './common.ts';
import { isNumber, plain } from './words.ts';

/** Two words that are both this sure, and not the same, are two words. Of 56 copies one such pair in six was a misreading, never two of a page. */
const SURE = 0.9;
/** So many words that are surely other ones are another document; one alone is, where nothing else was read differently. */
const OTHER_DOCUMENT = 2;
const READ_ALIKE = { fewest: 8, unlike: 1 };

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
export const compareWords = (one: readonly PrintedWord[], other: readonly PrintedWord[]): WordsCompared => {
  const pages = { own: textsOf(one), others: textsOf(other) };
  const common = longestCommon(pages.own, pages.others);
  const gaps = [...common, [one.length, other.length] as const].map(([to, otherTo], n) => {
    const [from, otherFrom] = common[n - 1] ?? [-1, -1];
    return [one.slice(from + 1, to), other.slice(otherFrom + 1, otherTo)] as const;
  });
  const [own, others] = [new Set(pages.own), new Set(pages.others)];
  const lonely = gaps.map(
    ([words, with_]) =>
      [
        words.filter(({ text }) => !others.has(plain(text))),
        with_.filter(({ text }) => !own.has(plain(text))),
      ] as const,
  );
  const pairs = lonely.flatMap(([words, with_]) => otherNumbers(words, with_));
  const surely =
    pairs.filter((pair) => isSure(pair)).length +
    sumOf(lonely.map(([words, with_]) => otherWords(words, with_)));
  const fewest = Math.min(one.length, other.length);
  const unlike = fewest - common.length - surely;
  const readAlike = fewest >= READ_ALIKE.fewest && unlike <= READ_ALIKE.unlike;
  return {
    compared: one.length,
    same: common.length,
    fewest,
    numbers: numbersIn(one, other, own, others),
    doubtful: pairs.length,
    differs: surely >= OTHER_DOCUMENT || (surely > 0 && readAlike),
  };
};

type Words = readonly PrintedWord[];
type Pair = readonly [PrintedWord, PrintedWord];

const textsOf = (words: Words): readonly string[] => words.map(({ text }) => plain(text));

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

const isSure = (pair: Pair): boolean => pair.every(({ confidence }) => confidence >= SURE);

/** Numbers of one form that stand for each other between the same neighbours: where there are as many of a form on both pages. */
const otherNumbers = (words: Words, others: Words): readonly Pair[] => {
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
const otherWords = (words: Words, others: Words): number => {
  const [own, theirs] = [words.filter(isSureText), others.filter(isSureText)];
  const unlike = own.filter((word) => others.every((other) => isUnlike(word, other)));
  const unlikeTheirs = theirs.filter((other) => words.every((word) => isUnlike(word, other)));
  return Math.min(unlike.length, unlikeTheirs.length);
};

const isSureText = ({ text, confidence }: PrintedWord): boolean =>
  confidence >= SURE && !/\d/.test(text) && plain(text).length >= 3;

const isUnlike = (one: PrintedWord, other: PrintedWord): boolean => {
  const [text, otherText] = [plain(one.text), plain(other.text)];
  return changesBetween(text, otherText) > Math.max(text.length, otherText.length) / 2;
};

const AMOUNT = /^[A-Z$]{0,3}\d[\d,]*\.\d\d$/;

/** How a number is written: 12/03/2018 and 30/11/2017 alike, and all amounts. What was read in part has another form. */
const formOf = (text: string): string =>
  AMOUNT.test(text) ? 'amount' : text.replace(/\d/g, '0').replace(/\p{L}/gu, 'a');

/** How many sure numbers either page has, and how many of them stand on both. */
const numbersIn = (one: Words, other: Words, own: ReadonlySet<string>, others: ReadonlySet<string>) => {
  const sure = [...one, ...other].filter((word) => isNumber(word) && word.confidence >= SURE);
  const texts = [...new Set(textsOf(sure))];
  return { compared: texts.length, same: texts.filter((text) => own.has(text) && others.has(text)).length };
};
