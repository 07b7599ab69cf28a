import type { RecognisedWord } from '../../../domain/fraud/pages.ts';
import { longestCommon } from './longestCommon.ts';
import { MIN_LENGTH, plain } from './words.ts';

/** A word and its plain text, which is costly to make. */
export type Word = RecognisedWord & Readonly<{ plainText: string }>;
export type Words = readonly Word[];

export const wordsWithTexts = (words: readonly RecognisedWord[]): Words =>
  words.map((word) => ({ ...word, plainText: plain(word.text) }));

export const textsOf = (words: Words): readonly string[] => words.map(({ plainText }) => plainText);

/** Letters of one page times those of the other, between words that both have: more are of unlike pages. */
const MAX_CELLS = 250_000;
/** So many common letters beside a blank say where it stands on the other page. */
const SUPPORT = 2;

/**
 * The words of two pages, with the blanks of both: a recogniser misses some, on each picture others. Parts
 * that are too short for a word of a page are left out.
 */
export const respaced = (one: Words, other: Words): readonly [Words, Words] => {
  const [own, others]: [Word[], Word[]] = [[], []];
  let [from, otherFrom] = [0, 0];
  for (const [to, otherTo] of [
    ...longestCommon(textsOf(one), textsOf(other)),
    [one.length, other.length] as const,
  ]) {
    const [parts, otherParts] = withBlanksOfBoth(one.slice(from, to), other.slice(otherFrom, otherTo));
    own.push(...parts, ...one.slice(to, to + 1));
    others.push(...otherParts, ...other.slice(otherTo, otherTo + 1));
    [from, otherFrom] = [to + 1, otherTo + 1];
  }
  return [own, others];
};

const withBlanksOfBoth = (one: Words, other: Words): readonly [Words, Words] => {
  const [letters, otherLetters] = [lettersOf(one), lettersOf(other)];
  const cells = letters.length * otherLetters.length;
  if (cells === 0 || cells > MAX_CELLS) return [one, other];
  const pairs = longestCommon(letters, otherLetters);
  const [places, otherPlaces] = [new Map(pairs), new Map(pairs.map(([n, m]) => [m, n]))];
  return [
    splitAt(one, placesOf(blanksOf(other), otherPlaces, letters)),
    splitAt(other, placesOf(blanksOf(one), places, otherLetters)),
  ];
};

const lettersOf = (words: Words): readonly string[] => words.flatMap(({ plainText }) => [...plainText]);

/** Before which letters there are blanks. */
const blanksOf = (words: Words): readonly number[] => {
  let at = 0;
  return words.slice(0, -1).map(({ plainText }) => {
    at += [...plainText].length;
    return at;
  });
};

/**
 * Where blanks stand on the other page: `places` are those of its letters there. Numbers have letters in
 * common by chance, so that within one both sides must say so.
 */
const placesOf = (
  blanks: readonly number[],
  places: ReadonlyMap<number, number>,
  letters: readonly string[],
): ReadonlySet<number> => {
  const found = new Set<number>();
  for (const blank of blanks) {
    const [before, after] = [places.get(blank - 1), places.get(blank)];
    const isEnd = before !== undefined && places.get(blank - SUPPORT) === before - SUPPORT + 1;
    const isStart = after !== undefined && places.get(blank + SUPPORT - 1) === after + SUPPORT - 1;
    const [end, start] = [isEnd ? before + 1 : null, isStart ? after : null];
    for (const place of [end, start])
      if (place !== null && (end === start || !isInNumber(letters, place))) found.add(place);
  }
  return found;
};

const isInNumber = (letters: readonly string[], place: number): boolean =>
  /^\d\d$/.test(`${letters[place - 1]}${letters[place]}`);

const splitAt = (words: Words, blanks: ReadonlySet<number>): Words => {
  let start = 0;
  return words.flatMap((word) => {
    const letters = [...word.text].map((letter) => ({ letter, plainLetter: plain(letter) }));
    const length = [...word.plainText].length;
    const cuts = [...blanks].map((blank) => blank - start).filter((cut) => cut > 0 && cut < length);
    start += length;
    // A letter that is another one in company is in no place of its own.
    if (cuts.length === 0 || letters.map(({ plainLetter }) => plainLetter).join('') !== word.plainText)
      return [word];
    const parts: string[] = [''];
    let at = 0;
    for (const { letter, plainLetter } of letters) {
      if (plainLetter !== '' && cuts.includes(at)) parts.push('');
      at += [...plainLetter].length;
      parts[parts.length - 1] += letter;
    }
    return wordsWithTexts(
      parts.map((text) => ({
        text: text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''),
        confidence: word.confidence,
      })),
    ).filter(({ plainText }) => plainText.length >= MIN_LENGTH);
  });
};
