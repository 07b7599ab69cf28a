import type { PageKey, RecognisedWord } from '../../../domain/fraud/pages.ts';
import type { Line } from '../../page.ts';

const KEYS = 12;
const MAX_WORDS = 400;
const MAX_LENGTH = 40;
/** A shorter word tells nothing. In letters and digits. */
export const MIN_LENGTH = 3;
/** A word with a lower confidence is noise. */
const MIN_CONFIDENCE = 0.5;

/** The words of a page in their order, without noise. */
export const wordsOf = (lines: readonly Line[]): readonly RecognisedWord[] =>
  lines
    .flatMap(({ words }) => words)
    .filter(({ text, confidence }) => confidence >= MIN_CONFIDENCE && plain(text).length >= MIN_LENGTH)
    .slice(0, MAX_WORDS)
    .map(({ text, confidence }) => ({
      text: text.slice(0, MAX_LENGTH),
      confidence: Math.round(confidence * 100) / 100,
    }));

/** Digits in a row: fewer are on many pages of a template, more are misread too often. */
const ROW = 6;

/**
 * The keys of a page among a million of the same layout: twelve pairs of rows of its digits (dates, amounts,
 * identifiers), chosen so that pages which share most of them are likely to have a pair in common (min-hashes
 * over the set, two at a time). A pair is rare where one row alone is not; blanks and captions, of which a
 * recogniser misses some, count for nothing.
 */
export const numberKeys = (words: readonly RecognisedWord[]): readonly PageKey[] => {
  const digits = words.map(({ text }) => text.replace(/\D/g, '')).join('');
  const rows = [
    ...new Set(
      Array.from({ length: Math.max(0, digits.length - ROW + 1) }, (_, at) => digits.slice(at, at + ROW)),
    ),
  ];
  if (rows.length < 2) return [];
  const pairs = Array.from({ length: KEYS }, (_, turn) => {
    const ranked = rows.map((text) => ({ text, rank: hash(`${turn} ${text}`) }));
    const [one, other] = ranked.sort((a, b) => a.rank - b.rank);
    return [one?.text, other?.text].sort().join(' ');
  });
  return [...new Set(pairs)].map((pair) => ({ text: `digits ${pair}`, near: [] }));
};

/** Whether a word is a number that distinguishes documents: at least two digits among three characters. */
export const isNumber = ({ text }: RecognisedWord): boolean =>
  plain(text).length >= MIN_LENGTH && (text.match(/\d/g) ?? []).length >= 2;

/** Letters that look like digits, and these. */
const [LETTERS, DIGITS] = ['OQDILZSGB', '000112568'];

/** Letters and digits alone; letters that look like digits are those digits. */
export const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/[OQDILZSGB]/g, (letter) => DIGITS[LETTERS.indexOf(letter)] ?? letter);

/** A number for a text (FNV-1a with a final mix): to rank by, not to hide. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  return (value ^ (value >>> 16)) >>> 0;
};
