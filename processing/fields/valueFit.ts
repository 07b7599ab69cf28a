import type { OutputField } from '../../domain/workflow.ts';
import type { Word } from '../page.ts';
import { amountsIn, parseAmount } from './amounts.ts';
import type { Mark } from './captions.ts';
import { datesIn, type Order } from './dates.ts';
import { isOtherNumber } from './isOtherNumber.ts';
import { spelled, wordsIn } from './labels.ts';

/** The words of a value, its text, and how surely (0 to 1) it is one of the field's type. */
export type Fit = Readonly<{ words: readonly Word[]; text: string; sure: number }>;

/** What of the words beside a label is a value of the field's type; null where nothing is. */
export const fitOf = (field: OutputField, words: readonly Word[], mark: Mark, order: Order): Fit | null => {
  const rest = trimmed(words);
  if (rest.length === 0) return null;
  const bar = rest.findIndex(({ text }) => text === '|');
  if (bar > 0) return fitOf(field, rest.slice(0, bar), mark, order);
  switch (field.type) {
    case 'string':
      return isIdentifier(field) ? whenShown(words, identifierIn(rest, mark)) : textIn(rest, mark);
    case 'date':
      return dateIn(rest, mark, order);
    case 'number':
    case 'integer':
      return doubtedNumber(field, numberIn(rest, mark), textOf(rest));
    case 'boolean':
      return fit(rest, 1);
  }
};

const doubtedNumber = (field: OutputField, found: Fit | null, text: string): Fit | null =>
  found && isOtherNumber(field, found.text, text) ? { ...found, sure: Math.min(DOUBTED, found.sure) } : found;

const MAX_WORDS = 16;

/** Without the marks that stand between a caption and its value, and behind it. */
const trimmed = (words: readonly Word[]): readonly Word[] => {
  const start = words.findIndex(({ text }) => /[\p{L}\p{N}☐☑☒✓✗]/u.test(text));
  if (start < 0) return [];
  const sign = start > 0 && /^(?:[-−(+€£$]+|\.\/\.)$/.test(words[start - 1]?.text ?? '') ? 1 : 0;
  const end = words.findLastIndex(({ text }) => /[\p{L}\p{N})☐☑☒✓✗€£$%-]/u.test(text)) + 1;
  return words.slice(start - sign, Math.min(end, start + MAX_WORDS));
};

const textOf = (words: readonly Word[]): string =>
  words
    .map(({ text }) => text)
    .join(' ')
    .replace(/^[:=*_"'#\s]+(?=[\p{L}\p{N}])|[\s|,;*_]+$/gu, '');

const fit = (words: readonly Word[], sure: number, text = textOf(words)): Fit => ({ words, text, sure });

/** Whether a field asks for a number or a code of something, in which a digit stands. */
export const isIdentifier = ({ name, label, type }: OutputField): boolean =>
  type === 'string' &&
  [name, label ?? ''].some((text) => OF_IDENTIFIERS.includes(wordsIn(spelled(text)).at(-1) ?? ''));

const OF_IDENTIFIERS = [
  'number',
  'no',
  'nr',
  'num',
  'id',
  'code',
  'iban',
  'nummer',
  'rechnungsnummer',
  'numéro',
];

const FUNCTION_WORDS =
  /^(?:is|are|was|be|may|must|will|can|should|and|or|of|on|in|at|to|by|for|from|with|when|if|as|not|the|that|this|these|your|our|their|its|ist|sind|und|oder|von|bei|mit|für|wird|est|et|ou|de|du|des|pour|avec|dans|lors)$/i;

/** Without a mark a text is any words that follow the label: prose, or a longer label. */
const textIn = (words: readonly Word[], mark: Mark): Fit | null => {
  const first = words[0]?.text ?? '';
  if (mark !== 'none') return fit(words, PLACEHOLDER.test(textOf(words)) ? DOUBTED : 1);
  return /^\p{Ll}/u.test(first) || FUNCTION_WORDS.test(first) ? null : fit(words, ANY_WORDS);
};

/** What people write where there is nothing to say. */
const PLACEHOLDER =
  /^(?:n\/?a|n\.a\.?|none|nil|unknown|tb[acd]|not (?:applicable|known|given)|see (?:above|below)|k\.? ?a\.?|keine?(?: angabe)?|folgt|pending|en attente|unbekannt|siehe oben|aucune?|néant|inconnue?)$/i;

/** No more than the rules for what has no label give to a name. */
const ANY_WORDS = 0.6;
const UNMARKED = 0.7;
const WITH_MORE = 0.75;

/** An identifier goes on while its words have digits, or are letters before some: "GB 123 456". */
const identifierIn = (words: readonly Word[], mark: Mark): Fit | null => {
  const start = words.findIndex(({ text }) => /^(?:no\.?|nr\.?|n[°º]|#|№)$/i.test(text)) === 0 ? 1 : 0;
  const rest = words.slice(start);
  const digit = rest.findIndex(({ text }) => /\d/.test(text));
  const isPrefixed = rest.slice(0, Math.max(0, digit)).every(({ text }) => /^[A-Z]{1,4}[-.]?$/.test(text));
  if (digit < 0 || digit > 2 || !isPrefixed) return mark === 'none' ? null : fit(rest, DOUBTED);
  const behind = rest.findIndex(({ text }, index) => index > digit && !/\d|^[A-Z]{1,4}$/.test(text));
  const run = behind < 0 ? rest : rest.slice(0, behind);
  const own = run.slice(0, run.findLastIndex(({ text }) => /\d/.test(text)) + 1);
  const closed = rest.findIndex(({ text }, index) => index < own.length && /[,;]$/.test(text));
  const whole = closed < 0 ? own : own.slice(0, closed + 1);
  const isWhole = whole.length === rest.length;
  const text = textOf(whole);
  const isOther =
    /^[£€$(]|\d[.,]\d{2}$|%$/.test(text) || (mark === 'none' && datesIn(text, 'day-first').length > 0);
  return fit(whole, isOther ? DOUBTED : isWhole ? 1 : WITH_MORE);
};

/** An identifier of which asterisks or bullets hide the beginning is a part of itself. */
const whenShown = (words: readonly Word[], found: Fit | null): Fit | null =>
  found && /[*•]\s?\d/.test(words.map(({ text }) => text).join(' '))
    ? { ...found, sure: Math.min(DOUBTED, found.sure) }
    : found;

/** What is sooner something else than the value. */
export const DOUBTED = 0.5;

const dateIn = (words: readonly Word[], mark: Mark, order: Order): Fit | null => {
  const text = textOf(words);
  const found = datesIn(text, order);
  const days = new Set(found.map(({ iso }) => iso));
  if (days.size === 0) return null;
  const rest = text
    .replace(found[0]?.text ?? '', ' ')
    .replace(/\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\.?)?|\b(?:at|um|à|uhr|le|am|den)\b/gi, ' ');
  const isWhole = wordsIn(rest).filter((word) => !DAYS.test(word)).length === 0;
  const isRelative = RELATIVE.test(rest);
  if (days.size > 1 || isRelative || (!isWhole && mark === 'none')) return fit(words, UNMARKED);
  return fit(words, isWhole ? 1 : 0.95);
};

/** "14 days from 1 May 2026" is another day. */
const RELATIVE =
  /\b(?:days?|weeks?|months?|before|after|from|until|within|and|or|und|oder|et|ou|tage?n?|wochen?|monate?n?|nach|vor|ab|bis|jours?|semaines?|mois|après|avant|dès)\b/i;

const DAYS = /^(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim)\p{L}*$/u;

/** A rate or a currency before a sum. */
const ASIDE = /^(?:(?:\(?[\d.,]+\s?%\)?|@|\((?:in )?(?:[€£$]|[a-z]{3}|rm)\))[\s:]*)+(?=.*\d)/i;

/** A sum with its currency, or a number with what it counts. */
const numberIn = (words: readonly Word[], mark: Mark): Fit | null => {
  const text = textOf(words)
    .replace(ASIDE, '')
    .replace(/(?<=\d)\s*\((?:[^)\d]|[\d.,]+\s?%)*\)$/, '');
  if (parseAmount(text.replace(/\s?%$/, '')) !== null) return fit(words, 1, text);
  const amounts = amountsIn(text);
  const last = amounts.at(-1);
  if (!last) return null;
  if (amounts.length > 1) return fit(words, UNMARKED, last.text);
  const isFirst = last.start === 0 || !/[\p{L}\p{N}]/u.test(text.slice(0, last.start));
  const [before, behind] = [wordsIn(text.slice(0, last.start)), wordsIn(text.slice(last.end))];
  if (!isFirst && mark === 'none') return null;
  const isPlain =
    isFirst && behind.length <= 2 && (mark !== 'none' || behind.every(({ length }) => length <= 3));
  return fit(
    words,
    isPlain ? 0.92 : before.length + behind.length <= 2 && mark !== 'none' ? 0.85 : UNMARKED,
    last.text,
  );
};
