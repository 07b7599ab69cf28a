import { type Line, type Word, withWords } from '../page.ts';
import { type Candidate, candidate } from './candidate.ts';
import { addressStart, likeliestName } from './company.ts';
import { hasDate } from './dates.ts';
import { legalFormIn } from './legalForm.ts';
import { letterheadOf } from './letterhead.ts';
import {
  cleaned,
  hasHouse,
  hasPlace,
  hasPostcode,
  hasStreet,
  isAddress,
  isAmount,
  isOther,
  isUnit,
  KIND,
  letters,
  TRADE,
} from './lineKinds.ts';
import { correctByVocabulary, correctPairs } from './misreads.ts';
import { ADDRESS_WORDS, BESIDE_PLACE_WORDS, PLACE_WORDS } from './vocabulary.ts';
import { lettersAsDigits, wordsIn } from './words.ts';

const MAX_BEFORE = 8;
const MAX_AFTER = 3;
/** Without a postcode. */
const MAX_LINES = 5;

/** The least likelihood of a name that ends an address above it. */
const LIKELY = 0.55;

/** The issuer's address: the lines of the letterhead from the first like one to the last that fits. */
export const addressCandidates = (lines: readonly Line[]): readonly Candidate[] => {
  const head = letterheadOf(lines).map(corrected);
  const first = addressStart(head);
  const anchor = head[first];
  if (!anchor) return [];
  const name = likeliestName(head);
  const isTown = hasPostcode(anchor.text) && !hasStreet(anchor.text) && !hasHouse(anchor.text);
  const above = linesAbove(head.slice(name ? name.last + 1 : 0, first), isTown);
  const isBelow = name !== null && name.first > first && name.likelihood > LIKELY;
  const below = head.slice(first, isBelow ? name.first : head.length).filter(isNoInterruption);
  const postcode = postcodeIn(below);
  const kept = [...above, ...(postcode < 0 ? withoutPostcode(below) : withPlaces(below, postcode))];
  const text = kept.map((line) => cleaned(line.text)).join(' ');
  const words = kept.flatMap((line) => line.words);
  return [candidate(text, likelihood(kept, postcode), kept[0] ?? anchor, words)];
};

const likelihood = (kept: readonly Line[], postcode: number): number => {
  const first = kept[0]?.text ?? '';
  if (postcode < 0) return kept.some(({ text }) => hasStreet(text)) ? 0.72 : 0.66;
  return hasPostcode(first) && !hasStreet(first) && !hasHouse(first) ? 0.6 : 0.9;
};

/** The lines that lead to an address; above a town any line with a number at its end may be a street. */
const linesAbove = (above: readonly Line[], isTown: boolean): readonly Line[] => {
  const start = above.findLastIndex(
    ({ text }, index) =>
      !leadsTo(text) && !(isTown && index === above.length - 1 && isPart(text) && HOUSED.test(cleaned(text))),
  );
  return above.slice(start + 1).slice(-2);
};

/** "7 Church Walk", "Lindenweg 4a", also without blanks. */
const HOUSED = /^\d{1,4}[a-z]?\s?\p{L}{3,}[^\d]*$|^[^\d]*\p{L}{4}\.?\s?\d{1,4}\s?[a-z]?$/iu;

const leadsTo = (text: string): boolean =>
  isPart(text) &&
  !BRANCH.test(text) &&
  (/[,]\W*$/.test(text) ||
    hasHouse(text) ||
    isUnit(text) ||
    hasStreet(text) ||
    (hasPlace(text) && !KIND.test(text) && !TRADE.test(text)));

const BRANCH = /\b(?:branch|cawangan|outlet)\b/i;

/** Skips a telephone or tax number inside an address. */
const isNoInterruption = ({ text }: Line, index: number, block: readonly Line[]): boolean => {
  const [before, next] = [block[index - 1]?.text, block[index + 1]?.text];
  if (before === undefined || next === undefined || isPart(text)) return true;
  const isBetween = isAddress(before) && !hasPostcode(before) && /^\W*\d{5}\b/.test(next) && isPart(next);
  return !(isBetween && isOther(cleaned(text)));
};

/** The lines before the first that does not belong to an address. */
const linesWhile = (
  lines: readonly Line[],
  belongs: (text: string, index: number) => boolean,
): readonly Line[] => {
  const end = lines.findIndex(({ text }, index) => !belongs(text, index));
  return end < 0 ? lines : lines.slice(0, end);
};

const postcodeIn = (block: readonly Line[]): number =>
  linesWhile(block.slice(0, MAX_BEFORE), (text, index) => index === 0 || isPart(text)).findIndex(({ text }) =>
    hasPostcode(text),
  );

const withoutPostcode = (block: readonly Line[]): readonly Line[] =>
  linesWhile(block.slice(0, MAX_LINES), (text, index) => {
    if (index === 0) return true;
    const before = block[index - 1]?.text ?? '';
    return isPart(text) && (/[,&]\W*$/.test(before) || hasStreet(text) || hasPlace(text) || hasHouse(before));
  });

/** The lines up to the postcode, and those after with a place or after a comma. */
const withPlaces = (block: readonly Line[], postcode: number): readonly Line[] => {
  const after = block.slice(postcode + 1, postcode + 1 + MAX_AFTER);
  const places = linesWhile(after, (text, index) => {
    const before = block[postcode + index]?.text ?? '';
    if (COUNTRY.test(before) || !isPart(text)) return false;
    const next = after[index + 1]?.text ?? '';
    return isPlace(text) || (isPlain(text) && (isPlace(next) || continues(before, text)));
  });
  return [...block.slice(0, postcode + 1), ...places];
};

/** A country ends an address. */
const COUNTRY = /\b(?:malaysia|singapore|united kingdom|usa|deutschland|germany|australia)\W*$/i;

const continues = (text: string, next: string): boolean =>
  /,\W*$|^\W*\d{5}\W*$/.test(text) ||
  (/\s\d{5}\W*$/.test(text) && !/\d/.test(next) && (hasStreet(next) || hasPlace(next)));

const isPlace = (text: string): boolean => {
  if (SHORT_PLACE.test(text)) return true;
  const all = wordsIn(text).filter((word) => !/^\p{L}$/u.test(word));
  return (
    all.length > 0 &&
    hasPlace(text) &&
    all.every((word) => PLACE_WORDS.includes(word) || BESIDE_PLACE_WORDS.includes(word) || hasPlace(word))
  );
};

const isPlain = (text: string): boolean =>
  !BRANCH.test(text) &&
  (hasStreet(text) || (/^[\p{L}\s.,]+$/u.test(cleaned(text)) && wordsIn(text).length <= 4));

const SHORT_PLACE =
  /^\W*(?:sel|jhr|phg|prk|kdh|kel|trg|mel|swk|sbh|n\.?s|k\.?l|j\.?b|w\.?p|p\.?(?:pg|p)|wpkl)\W*$/i;

/** Whether a line may be one of an address. */
const isPart = (text: string): boolean =>
  !isOther(cleaned(text)) &&
  !isAmount(text) &&
  (letters(text) >= 4 ||
    SHORT_PLACE.test(text) ||
    isAddress(text) ||
    hasHouse(text) ||
    isUnit(text) ||
    hasPostcode(text)) &&
  legalFormIn(text) === null &&
  !hasDate(text) &&
  !/^\W*\(/.test(text);

const corrected = (line: Line): Line => withWords(line, correctPairs(line.words.map(correctedWord)));

const VOCABULARY = [...ADDRESS_WORDS, ...PLACE_WORDS];
const CERTAIN = 0.95;

const correctedWord = (word: Word): Word => {
  if (word.confidence >= CERTAIN) return word;
  const [, before = '', core = '', behind = ''] =
    /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/u.exec(word.text) ?? [];
  if (/^(?=(?:\D*\d){3})[\dOoIlSB]{5}$/.test(core))
    return { ...word, text: before + lettersAsDigits(core) + behind };
  return correctByVocabulary(word, VOCABULARY);
};
