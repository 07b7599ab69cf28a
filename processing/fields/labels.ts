import { distance } from 'fastest-levenshtein';
import type { OutputField } from '../../domain/workflow.ts';

/** The words of a text as they are compared: lower case, letters and digits only, camelCase split. */
export const wordsIn = (text: string): readonly string[] =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** The words of a caption as one text, as labels are compared: signs of a number in letters. */
export const captionText = (words: readonly Readonly<{ text: string }>[]): string =>
  wordsIn(spelled(words.map(({ text }) => text).join(' '))).join(' ');

/** The signs of a number in letters. */
export const spelled = (text: string): string => text.normalize('NFC').replace(/\bn[°º]|№|#/gi, ' no ');

/** A word without what recognition confuses: 0 and o, 1 and l, 5 and s. */
export const unconfused = (word: string): string =>
  /\p{L}/u.test(word) ? word.replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('5', 's') : word;

/** How alike two words are, after undoing what recognition confuses: 0 or 0.8 to 1. */
export const alike = (a: string, b: string): number => likeness(unconfused(a), unconfused(b));

/** How many letters of one word must be changed to make it another, after undoing what recognition confuses. */
export const lettersApart = (a: string, b: string): number =>
  distance(unconfused(a).slice(0, LONGEST), unconfused(b).slice(0, LONGEST));

/** How alike two words are, both `unconfused`: 0 or 0.8 to 1. */
export const likeness = (left: string, right: string): number => {
  if (left === right) return 1;
  if (OTHER_WORDS.includes(left) && OTHER_WORDS.includes(right)) return 0;
  const longest = Math.max(left.length, right.length);
  // Short words are too near to one another: "net" is not "not".
  if (longest < 5 || Math.abs(left.length - right.length) > longest * (1 - LIKE)) return 0;
  const score = 1 - distance(left.slice(0, LONGEST), right.slice(0, LONGEST)) / longest;
  return score >= LIKE ? score : 0;
};

/** True when a word, as read, stands for one of the vocabulary. */
export const isOneOf = (word: string, vocabulary: readonly string[]): boolean =>
  vocabulary.some((known) => alike(word, known) > 0);

/** What may stand before a field's value: its label, its name in words, and usual short forms; longest first. */
export const phrasesOf = ({ name, label }: OutputField): readonly (readonly string[])[] => {
  const own = [wordsIn(spelled(label ?? '')), wordsIn(name)].filter((words) => words.length > 0);
  const all = [...own, ...own.flatMap(variants)];
  const unique = new Map(all.map((words) => [words.join(' '), words]));
  return [...unique.values()].sort((a, b) => b.length - a.length);
};

/** Labels without the word for the kind of value: an invoice number also stands in "Invoice: 17" and "Invoice # 17". */
export const shortPhrasesOf = ({ name, label, type }: OutputField): readonly (readonly string[])[] =>
  [wordsIn(spelled(label ?? '')), wordsIn(name)]
    .filter((words) => words.length > 1 && KINDS[type]?.includes(words.at(-1) ?? ''))
    .flatMap((words) => variants(words.slice(0, -1)));

const NUMBERS = ['number', 'no', 'nr', 'id', 'code'];
const KINDS: Readonly<Partial<Record<OutputField['type'], readonly string[]>>> = {
  string: [...NUMBERS, 'name'],
  integer: NUMBERS,
  number: ['amount', 'value'],
};

const LIKE = 0.8;
/** Words that look alike, and are no misreadings of one another. */
const OTHER_WORDS = ['change', 'charge'];
/** Characters of a word that are compared: what recognition makes of a smudge may be very long. */
const LONGEST = 40;

const SHORT_FORMS: Readonly<Record<string, readonly string[]>> = {
  number: ['no', 'nr', '#', 'num', 'id', 'number'],
  no: ['no', 'nr', 'number', 'id'],
  id: ['id', 'no', 'number'],
  invoice: ['invoice', 'inv', 'bill', 'doc', 'document'],
  document: ['document', 'doc'],
  receipt: ['receipt', 'rcpt', 'doc', 'document', 'bill'],
  subtotal: ['subtotal', 'sub total'],
  tax: ['tax', 'gst', 'vat', 'sst'],
  vat: ['vat', 'gst', 'tax'],
  quantity: ['quantity', 'qty'],
  telephone: ['telephone', 'tel', 'phone'],
  phone: ['phone', 'tel', 'telephone'],
};

const variants = (words: readonly string[]): readonly (readonly string[])[] =>
  words
    .reduce<readonly (readonly string[])[]>(
      (sofar, word) =>
        sofar.flatMap((head) => (SHORT_FORMS[word] ?? [word]).map((form) => [...head, ...form.split(' ')])),
      [[]],
    )
    .slice(0, 40);
