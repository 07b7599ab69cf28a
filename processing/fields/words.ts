import { distance } from 'fastest-levenshtein';
import { onceFor } from '../../kernel/once.ts';

/** The words of a text for comparison: lower case, letters and digits only, camelCase split. */
export const wordsIn = (text: string): readonly string[] =>
  text
    .replaceAll('MwSt', 'mwst')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** The words between the blanks of a text. */
export const vocabulary = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Signs for "number" spelled out. */
export const spelled = (text: string): string =>
  text.normalize('NFC').replace(/\bn\.?\s?[°º]|\bn\.o\b|№|#/gi, ' no ');

/** A text without the marks on its letters, which recognition does not see. */
export const withoutAccents = (text: string): string =>
  /[^ -~]/.test(text) ? text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC') : text;

/** A word with characters folded that recognition confuses: 0 and o, 1 and l, 5 and s, é and e. */
export const foldLookalikes = (word: string): string => {
  const bare = withoutAccents(word);
  return /[015]/.test(bare) && /\p{L}/u.test(bare)
    ? bare.replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('5', 's')
    : bare;
};

/** A text whose letters that recognition reads for digits are those digits. */
export const lettersAsDigits = (text: string): string =>
  text.replace(/[OoDQlI|zZsSB]/g, (letter) => '000011122558'.charAt('OoDQlI|zZsSB'.indexOf(letter)));

/** The similarity of two words with lookalikes folded: 0, or 0.8 to 1. */
export const similarity = (a: string, b: string): number =>
  foldedSimilarity(foldLookalikes(a), foldLookalikes(b));

/** The edit distance of two words with lookalikes folded. */
export const editDistance = (a: string, b: string): number =>
  boundedDistance(foldLookalikes(a), foldLookalikes(b));

/** The similarity of two words whose lookalikes are folded already: 0, or 0.8 to 1. */
export const foldedSimilarity = (a: string, b: string): number => {
  if (a === b) return 1;
  const longest = Math.max(a.length, b.length);
  // Short words are too similar to one another: "net" is not "not".
  if (longest < 5 || Math.abs(a.length - b.length) > longest * (1 - MIN_SIMILARITY)) return 0;
  if (DISTINCT.includes(a) && DISTINCT.includes(b)) return 0;
  const score = 1 - boundedDistance(a, b) / longest;
  return score >= MIN_SIMILARITY ? score : 0;
};

const boundedDistance = (a: string, b: string): number =>
  distance(a.slice(0, MAX_COMPARED), b.slice(0, MAX_COMPARED));

/** Recognition may read a smudge as a very long word. */
const MAX_COMPARED = 40;
const MIN_SIMILARITY = 0.8;
/** Similar words that are no misreadings of one another. */
const DISTINCT = ['change', 'charge'];

/** Whether a word, possibly misread, is one of some terms. */
export const isAmong = (word: string, terms: readonly string[]): boolean => {
  const own = foldLookalikes(word);
  return foldedTerms(terms).some((term) => foldedSimilarity(own, term) > 0);
};

/** The terms that all words of all documents are compared with. */
const foldedTerms = onceFor((terms: readonly string[]): readonly string[] => terms.map(foldLookalikes));

/** Whether one of some words, possibly misread, is one of some terms. */
export const hasAny = (words: readonly string[], terms: readonly string[]): boolean =>
  words.some((word) => isAmong(word, terms));
