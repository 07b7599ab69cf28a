import type { PrintedWord, PrintKey } from '../../domain/submission/prints.ts';
import type { Line } from '../page.ts';

const KEYS = 12;
const MOST_WORDS = 400;
const LONGEST = 40;
/** A word that is less sure than this is noise. */
const READ = 0.5;
/** Two words that are both this sure, and not the same, are two words. */
const SURE = 0.8;

/** The words of a page as they were read, in their order, without those that are noise. */
export const wordsOf = (lines: readonly Line[]): readonly PrintedWord[] =>
  lines
    .flatMap(({ words }) => words)
    .filter(({ text, confidence }) => confidence >= READ && plain(text).length >= 3)
    .slice(0, MOST_WORDS)
    .map(({ text, confidence }) => ({
      text: text.slice(0, LONGEST),
      confidence: Math.round(confidence * 100) / 100,
    }));

/**
 * What a page is found by among a million of the same layout: twelve pairs of its numbers (dates, amounts, identifiers), chosen so that pages which share
 * most of them are likely to have a pair in common (min-hashes over the set, two at a time). A pair of two numbers is rare where one alone is not.
 */
export const numberKeys = (words: readonly PrintedWord[]): readonly PrintKey[] => {
  const numbers = [...new Set(words.filter(isNumber).map(({ text }) => plain(text)))];
  if (numbers.length < 2) return [];
  const pairs = Array.from({ length: KEYS }, (_, turn) => {
    const ranked = numbers.map((text) => ({ text, rank: hash(`${turn} ${text}`) }));
    const [one, other] = ranked.sort((a, b) => a.rank - b.rank);
    return [one?.text, other?.text].sort().join(' ');
  });
  return [...new Set(pairs)].map((pair) => ({ text: `numbers ${pair}`, near: [] }));
};

/** How many words of one page there are, how many of them stand on the other too, in that order, and whether sure numbers differ. */
export const compareWords = (one: readonly PrintedWord[], other: readonly PrintedWord[]) => {
  const [own, others] = [one.map(({ text }) => plain(text)), other.map(({ text }) => plain(text))];
  const common = longestCommon(own, others);
  const gaps = [...common, [own.length, others.length] as const].map(([to, otherTo], n) => {
    const [from, otherFrom] = common[n - 1] ?? [-1, -1];
    return { words: one.slice(from + 1, to), others: other.slice(otherFrom + 1, otherTo) };
  });
  return { compared: own.length, same: common.length, differs: gaps.some(contradicts) };
};

type Gap = Readonly<{ words: readonly PrintedWord[]; others: readonly PrintedWord[] }>;

const LONGEST_GAP = 3;

/** Whether between the same neighbours other numbers stand, which nobody could have misread for these. */
const contradicts = ({ words, others }: Gap): boolean =>
  words.length === others.length &&
  words.length <= LONGEST_GAP &&
  words.some((word, n) => {
    const other = others[n];
    if (!other || !isNumber(word) || Math.min(word.confidence, other.confidence) < SURE) return false;
    if (formOf(word.text) !== formOf(other.text)) return false;
    const length = Math.max(word.text.length, other.text.length);
    const [text, otherText] = [word.text.padStart(length), other.text.padStart(length)];
    const changes = [...text].filter((letter, place) => letter !== otherText[place]).length;
    return changes >= 2 && changes >= length / 5;
  });

const AMOUNT = /^[A-Z$]{0,3}\d[\d,]*\.\d\d$/;

/** How a number is written: 12/03/2018 and 30/11/2017 alike, and all amounts. What was read in part has another form. */
const formOf = (text: string): string =>
  AMOUNT.test(text) ? 'amount' : text.replace(/\d/g, '0').replace(/\p{L}/gu, 'a');

const isNumber = ({ text }: PrintedWord): boolean =>
  plain(text).length >= 3 && (text.match(/\d/g) ?? []).length >= 2;

const LOOKALIKES: Readonly<Record<string, string>> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  L: '1',
  Z: '2',
  S: '5',
  G: '6',
  B: '8',
};

/** Letters and digits alone; letters that are often taken for digits are those digits. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/[OQDILZSGB]/g, (letter) => LOOKALIKES[letter] ?? letter);

/** The places of the longest sequence that two lists have in common. */
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
  const places: (readonly [number, number])[] = [];
  let [n, m] = [0, 0];
  while (n < one.length && m < other.length) {
    if (one[n] === other[m]) {
      places.push([n, m]);
      n += 1;
      m += 1;
    } else if (at(n + 1, m) >= at(n, m + 1)) n += 1;
    else m += 1;
  }
  return places;
};

/** A number for a text (FNV-1a with a last stir): to rank by, not to hide. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  return (value ^ (value >>> 16)) >>> 0;
};
