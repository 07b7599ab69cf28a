import { type Line, lineOf, type Word } from '../page.ts';
import { type Candidate, candidate } from './candidate.ts';
import { datesIn } from './dates.ts';
import {
  cleaned,
  headOf,
  isAddress,
  isAmount,
  isOther,
  letters,
  POSTCODE,
  soundsLikeAddress,
} from './headLines.ts';
import { wordsIn } from './labels.ts';
import { legalFormIn } from './legalForm.ts';
import { mendByVocabulary } from './mend.ts';
import { ADDRESS_WORDS, PLACE_WORDS } from './vocabulary.ts';

const MOST_LINES = 6;

/** Where the issuer is: the lines of the head from the first that reads like an address to the last beside it. */
export const addressCandidates = (lines: readonly Line[]): readonly Candidate[] => {
  const head = headOf(lines).map(mended);
  const first = head.findIndex(({ text }) => isAddress(text));
  const start = head[first];
  if (!start) return [];
  const rest = head.slice(first + 1);
  const stop = rest.findIndex(({ text }) => !continues(text));
  const block = [start, ...rest.slice(0, stop < 0 ? rest.length : stop)].slice(0, MOST_LINES);
  const postcode = block.findIndex(({ text }) => POSTCODE.test(text));
  const kept = postcode < 0 ? block.slice(0, MOST_LINES - 2) : withPlaces(block, postcode);
  const text = kept.map((line) => cleaned(line.text)).join(' ');
  const words = kept.flatMap((line) => line.words);
  return [candidate(text, postcode < 0 ? 0.72 : 0.9, start, words)];
};

/** The lines up to the postcode's, and after it those that name a place or that a comma announces. */
const withPlaces = (block: readonly Line[], postcode: number): readonly Line[] => {
  const after = block.slice(postcode + 1, postcode + 3);
  const end = after.findIndex(
    ({ text }, index) =>
      COUNTRY.test(block[postcode + index]?.text ?? '') ||
      (!soundsLikeAddress(text) && !/,\s*$/.test(block[postcode + index]?.text ?? '') && !isPlain(text)),
  );
  return [...block.slice(0, postcode + 1), ...after.slice(0, end < 0 ? after.length : end)];
};

/** After its country nothing follows in an address. */
const COUNTRY = /\b(?:malaysia|singapore|united kingdom|usa|deutschland|germany|australia)\W*$/i;

const isPlain = (text: string): boolean => /^[\p{L}\s.,]+$/u.test(cleaned(text)) && wordsIn(text).length <= 3;

const continues = (text: string): boolean =>
  !isOther(cleaned(text)) &&
  !isAmount(text) &&
  (letters(text) >= 4 || isAddress(text)) &&
  legalFormIn(text) === null &&
  datesIn(text, 'day-first').length === 0 &&
  !/^\W*\(/.test(text);

/** A line without marks that are not sure at its ends, its general words and its postcode mended. */
const mended = (line: Line): Line => {
  const words = [...line.words];
  while (words.length > 1 && isNoise(words[0])) words.shift();
  while (words.length > 1 && isNoise(words.at(-1))) words.pop();
  return lineOf(words.map(mendedWord), line.place, line.block);
};

const isNoise = (word: Word | undefined): boolean =>
  word !== undefined &&
  (!/[\p{L}\p{N}]/u.test(word.text) || (!/[\p{L}\p{N}]{3}/u.test(word.text) && word.confidence < 0.45));

const KNOWN = [...ADDRESS_WORDS, ...PLACE_WORDS];
const CERTAIN = 0.95;

const mendedWord = (word: Word): Word => {
  if (word.confidence >= CERTAIN) return word;
  const [, before = '', core = '', behind = ''] =
    /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/u.exec(word.text) ?? [];
  if (/^(?=(?:\D*\d){3})[\dOoIlSB]{5}$/.test(core)) return { ...word, text: before + digits(core) + behind };
  return mendByVocabulary(word, KNOWN);
};

const digits = (text: string): string =>
  text.replace(/[Oo]/g, '0').replace(/[Il]/g, '1').replaceAll('S', '5').replaceAll('B', '8');
