import type { Line } from '../page.ts';
import { type Candidate, candidate, legibility, startOf } from './candidate.ts';
import { cleaned, headOf, isAddress, isOther, letters, soundsLikeAddress } from './headLines.ts';
import { legalFormIn } from './legalForm.ts';
import { mendByVocabulary } from './mend.ts';
import { NAME_WORDS } from './vocabulary.ts';

/** What a business calls itself where it has no legal form. */
const TRADE =
  /\b(?:co|company|enterprises?|trading|holdings?|group|international|industries|associates|partners|syarikat|perniagaan|perusahaan|pasaraya|bros|brothers|sons)\b/i;
/** What kind of a house it is: a name, or what stands below one. */
const KIND =
  /\b(?:restaurant|restoran|cafe|café|hotel|mart|(?:super|hyper)?market|stores?|shop|bakery|bakeries|pharmacy|farmasi|clinic|klinik|kedai|hardware|stationery|books?|bookshop|gallery|motors?|station|bistro|kitchen|electrical|optical|salon)\b/i;

/** Who issued a document: a line of its head that reads like a name, likelier with a legal form, early and clear. */
export const companyCandidates = (lines: readonly Line[]): readonly Candidate[] => {
  const head = headOf(lines);
  const address = head.findIndex(({ text }) => isAddress(text));
  const names = head.map((line) => (isName(line.text) ? nameOf(line) : null));
  return head.flatMap((line, index) => {
    const own = names[index];
    if (!own) return [];
    const next = head[index + 1];
    const form = next && !own.form && isFormAlone(next.text) ? ` ${nameOf(next).text}` : '';
    const before = names.slice(0, index).filter((name) => name !== null).length;
    const likely =
      0.66 +
      (own.form || form !== '' ? 0.28 : TRADE.test(own.text) ? 0.2 : KIND.test(own.text) ? 0.06 : 0) +
      (address < 0 || index < address ? 0.1 : -0.25) -
      (!own.form && soundsLikeAddress(own.text) ? 0.3 : 0) -
      (legibility(line.words) < 0.4 ? 0.25 : 0) -
      0.07 * before;
    return [candidate(own.text + form, Math.min(0.97, likely), line, own.words)];
  });
};

const isName = (text: string): boolean =>
  letters(text) >= 4 &&
  (letters(text) >= text.length / 2 || legalFormIn(text) !== null) &&
  /\p{L}{3}/u.test(text) &&
  !isFormAlone(text) &&
  (!isOther(text) || legalFormIn(text) !== null) &&
  !isAddress(text);

/** A legal form by itself belongs to the name above. */
const isFormAlone = (text: string): boolean => {
  const form = legalFormIn(text);
  return form !== null && letters(text.slice(0, form.start)) < 4 && letters(text.slice(form.end)) < 3;
};

/** A line's name: up to its legal form, else without registration number and what recognition makes of a margin. */
const nameOf = (line: Line) => {
  const words = line.words.map((word) => mendByVocabulary(word, NAME_WORDS));
  while (words.length > 1 && isNoise(words[0])) words.shift();
  const text = words.map((word) => word.text).join(' ');
  const found = legalFormIn(text);
  if (found) {
    const kept = words.filter((_, index) => startOf(words, index) < found.end);
    return { text: cleaned(`${text.slice(0, found.start)}${found.form}`), form: true, words: kept };
  }
  while (words.length > 1 && isNoise(words.at(-1))) words.pop();
  const bare = words.map((word) => word.text).join(' ');
  return { text: cleaned(bare.replace(REGISTRATION, '')), form: false, words };
};

const REGISTRATION = /\s*[([]?(?:[A-Z]{1,3})?\d[\dA-Z]{4,}\s?-?\s?[A-Z]?[)\]]?\W*$/;

/** A mark or two that are not sure: a logo or a fold. */
const isNoise = (word: Line['words'][number] | undefined): boolean =>
  word !== undefined && !/[\p{L}\p{N}]{3}/u.test(word.text) && word.confidence < 0.5;
