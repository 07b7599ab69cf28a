import { type Line, textOf, type Word } from '../page.ts';
import { wordsWithin } from './candidate.ts';
import { legalFormIn } from './legalForm.ts';
import { cleaned, isAddress, isOther, isTitle, letters } from './lineKinds.ts';
import { correctByVocabulary } from './misreads.ts';
import { GENERAL_WORDS, NAME_WORDS } from './vocabulary.ts';
import { wordsIn } from './words.ts';

/** A possible name of the issuer; `form`: it has a legal form. */
export type Name = Readonly<{ text: string; form: boolean; words: readonly Word[] }>;

/** A line's name: up to its legal form, else without registration number; null where it is not a name. */
export const nameOf = (line: Line): Name | null => {
  const name = partOf(line);
  return isName(name) && !isBareForm(line.text) ? name : null;
};

const isName = ({ text, form }: Name): boolean => {
  const count = letters(text);
  if (form) return count >= 4;
  const marks = text.replace(/\s/g, '').length;
  return (
    count >= marks / 2 &&
    (/\p{L}{3}/u.test(text) || /^\p{Lu}\W?[&.]\W?\p{Lu}/u.test(text)) &&
    !isOther(text) &&
    !isTitle(text) &&
    !isAddress(text)
  );
};

/** Whether a line is only a legal form, of the name above: by itself, or after a place or general words. */
export const isFormAlone = (text: string): boolean => {
  const form = legalFormIn(text);
  return (
    isBareForm(text) || (form !== null && endsWith(text, form.end) && isGeneral(text.slice(0, form.start)))
  );
};

const isBareForm = (text: string): boolean => {
  if (/^\W*s[dou]n\b/i.test(text)) return true;
  const form = legalFormIn(text);
  if (form === null || !endsWith(text, form.end)) return false;
  const before = withoutBrackets(text.slice(0, form.start));
  const count = (before.match(/[\p{L}\p{N}]/gu) ?? []).length;
  return count <= 3 && !/[\p{L}\p{N}]{3}|\p{L}\W{0,2}[&.]\W{0,2}[\p{L}\p{N}]/u.test(before);
};

const endsWith = (text: string, end: number): boolean => letters(text.slice(end)) <= 3;

const withoutBrackets = (text: string): string => text.replace(/[([{][^()[\]{}]*[)\]}]/g, '');

/** Whether a text says only what a business does. */
export const isGeneral = (text: string): boolean =>
  wordsIn(withoutBrackets(text)).every((word) => GENERAL_WORDS.includes(word));

/** The part of a line that would be its name. */
export const partOf = (line: Line): Name => {
  const words = line.words
    .map((word) => correctByVocabulary(word, NAME_WORDS))
    .map(correctedForm)
    .map(correctedCountry);
  const text = textOf(words);
  const found = legalFormIn(text);
  if (found) {
    const name = cleaned(`${text.slice(0, found.start)}${found.form}`).replace(OPEN, '');
    return { text: name, form: true, words: wordsWithin(words, 0, found.end) };
  }
  return { text: cleaned(text.replace(REGISTRATION, '')), form: false, words };
};

/** A bracket before the name whose end is after the registration number. */
const OPEN = /^\((?![^(]*\))/;

/** At the end: a number of at least five digits, or fewer with a check letter, or in brackets. */
const REGISTRATION =
  /(?:[\s,-]*[([{|][^()[\]{}]*\d{3}[^()[\]{}]*[)\]}]?|[\s([{|,-]+(?:[a-z]{1,3}[\s-]?)?(?:\d[\dOIl]{4,}\s?-?\s?[a-z]?|\d{3,}-[a-z])[)\]}]?){1,3}\W*$/i;

/** A barely legible "SD?" at the end was Sdn Bhd. */
const correctedForm = (word: Word, index: number, all: readonly Word[]): Word =>
  index > 0 && index === all.length - 1 && word.confidence < LOST && /^(?:sd\w|son[.,])\W*$/i.test(word.text)
    ? { ...word, text: 'SDN BHD' }
    : word;

/** "(M)" before Sdn Bhd means Malaysia; its letter is often misread. */
const correctedCountry = (word: Word, index: number, all: readonly Word[]): Word =>
  word.confidence < DOUBTED &&
  /^\(\W?[NHWM1I]{1,2}\W?$/i.test(word.text) &&
  /^sdn\b/i.test(all[index + 1]?.text ?? '')
    ? { ...word, text: '(M)' }
    : word;

const LOST = 0.6;
const DOUBTED = 0.75;
