import type { OutputField } from '../../domain/workflow.ts';
import { isFreeText } from '../../fieldTypes/all.ts';
import { textOf, type Word } from '../page.ts';
import { amountsIn, parseAmount, withoutTax } from './amounts.ts';
import type { Mark } from './captions.ts';
import { datesIn } from './dates.ts';
import type { Notation } from './notation.ts';
import { isWeekday } from './weekdays.ts';
import { spelled, vocabulary, wordsIn } from './words.ts';

/** The words of a value, its text, and how certainly (0 to 1) it is one of the field's type. */
export type TypedValue = Readonly<{ words: readonly Word[]; text: string; certainty: number }>;

/** The words beside a label; `first`: those of them that may be a value, at least one. */
type Beside = Readonly<{
  words: readonly Word[];
  first: readonly Word[];
  mark: Mark;
  notation: Notation;
}>;

/** The value in the words beside a field's label; null where there is none. */
export type ValueIn = (field: OutputField, beside: Beside) => TypedValue | null;

export const textValueIn: ValueIn = (field, { words, first, mark, notation }) => {
  const whole = trimmed(words);
  if (!isIdentifier(field)) return doubtedIf(first.length < whole.length, textIn(whole, mark));
  const isMasked = /[*•]\s?\d/.test(textOf(words));
  return doubtedIf(isMasked, identifierIn(first, mark, notation));
};

export const dateValueIn: ValueIn = (_field, { first, mark, notation }) => dateIn(first, mark, notation);

export const numberValueIn: ValueIn = (field, { first, mark }) => {
  const found = numberIn(first, mark);
  return doubtedIf(found !== null && isOtherNumber(field, found.text, withoutTax(bareText(first))), found);
};

export const booleanValueIn: ValueIn = (_field, { words, first }) => {
  const choices = [...textOf(words).matchAll(CHOICE)].map(({ groups }) => groups);
  if (choices.length === 0) return typed(first, 1);
  const [chosen, ...others] = choices.filter((groups) => /[^[\]☐\s]/.test(groups?.box ?? ''));
  return chosen && others.length === 0 ? typed(words, 1, chosen.word) : null;
};

/** A box, with a cross or without, before what it stands for: "[x] yes [ ] no". */
const CHOICE = /(?<box>\[\s?[x✓✔]?\s?\]|[☐☑☒])\s?(?<word>\p{L}+)/giu;

/** Those of some words that may be a value. */
export const firstWords = (words: readonly Word[]): readonly Word[] => trimmed(words).slice(0, MAX_WORDS);

/** A box without a cross. */
export const emptyBox = (words: readonly Word[]): TypedValue | null =>
  /^\[\s?\]$/.test(textOf(words)) ? typed(words, 1, '[ ]') : null;

/** The certainty of what is more likely not the value. */
export const DOUBTED = 0.5;

const doubtedIf = (isDoubted: boolean, found: TypedValue | null): TypedValue | null =>
  found && isDoubted ? { ...found, certainty: Math.min(DOUBTED, found.certainty) } : found;

/** More words than most values have: a text of more may be one and what follows it. */
const MAX_WORDS = 16;

const trimmed = (words: readonly Word[]): readonly Word[] => {
  const start = words.findIndex(({ text }) => /[\p{L}\p{N}☐☑☒✓✗]/u.test(text));
  if (start < 0) return [];
  const sign = start > 0 && /^(?:[-−(+€£$]+|\.\/\.)$/.test(words[start - 1]?.text ?? '') ? 1 : 0;
  const end = words.findLastIndex(({ text }) => /[\p{L}\p{N})☐☑☒✓✗€£$%-]/u.test(text)) + 1;
  return words.slice(start - sign, end);
};

const bareText = (words: readonly Word[]): string =>
  textOf(words).replace(/^[:=*_"'#\s]+(?=[\p{L}\p{N}])|[\s|,;*_]+$/gu, '');

const typed = (words: readonly Word[], certainty: number, text = bareText(words)): TypedValue => ({
  words,
  text,
  certainty,
});

/** Whether a field is a number or a code that identifies something, with a digit in it. */
export const isIdentifier = ({ name, label, type }: OutputField): boolean =>
  isFreeText(type) &&
  [name, label ?? ''].some((text) => IDENTIFIERS.includes(wordsIn(spelled(text)).at(-1) ?? ''));

const IDENTIFIERS = vocabulary('number no nr num id code iban nummer rechnungsnummer numéro');

const FUNCTION_WORDS =
  /^(?:is|are|was|be|may|must|will|can|should|and|or|of|on|in|at|to|by|for|from|with|when|if|as|not|the|that|this|these|your|our|their|its|ist|sind|und|oder|von|bei|mit|für|wird|est|et|ou|de|du|des|pour|avec|dans|lors)$/i;

/** Without a mark any words may follow the label: prose, or a longer label. */
const textIn = (words: readonly Word[], mark: Mark): TypedValue | null => {
  const first = words[0]?.text ?? '';
  if (mark !== 'none') return typed(words, isPlaceholder(bareText(words)) ? DOUBTED : 1);
  return /^\p{Ll}/u.test(first) || FUNCTION_WORDS.test(first) ? null : typed(words, ANY_WORDS);
};

const PLACEHOLDER =
  /^(?:#?n\/?a|n\.a\.?|none|nil|null|nan|undefined|unknown|\(?(?:blank|empty|leer|none)\)?|x{3,}|\{\{.*\}\}|\$\{.*\}|to be (?:advised|announced|confirmed|defined|determined)|tb[acd]|not (?:applicable|known|given)|see (?:above|below)|k\.? ?a\.?|keine?(?: angabe)?|folgt|pending|en attente|unbekannt|siehe oben|aucune?|néant|inconnue?)$/i;

/** Whether a text says that there is no value. */
export const isPlaceholder = (text: string): boolean => PLACEHOLDER.test(text.trim());

/** No more than the rules for fields without a label give to a name. */
const ANY_WORDS = 0.6;
const UNMARKED = 0.7;
const WITH_MORE = 0.75;

/** An identifier continues while its words have digits, or are letters before some: "GB 123 456". */
const identifierIn = (words: readonly Word[], mark: Mark, notation: Notation): TypedValue | null => {
  const rest = /^(?:no\.?|nr\.?|n[°º]|#|№)$/i.test(words[0]?.text ?? '') ? words.slice(1) : words;
  const digit = rest.findIndex(({ text }) => /\d/.test(text));
  const isPrefixed = rest.slice(0, Math.max(0, digit)).every(({ text }) => /^[A-Z]{1,4}[-.]?$/.test(text));
  if (digit < 0 || digit > 2 || !isPrefixed) return mark === 'none' ? null : typed(rest, DOUBTED);
  const behind = rest.findIndex(({ text }, index) => index > digit && !/\d|^[A-Z]{1,4}$/.test(text));
  const run = behind < 0 ? rest : rest.slice(0, behind);
  const own = run.slice(0, run.findLastIndex(({ text }) => /\d/.test(text)) + 1);
  const closed = own.findIndex(({ text }) => /[,;]$/.test(text));
  const whole = closed < 0 ? own : own.slice(0, closed + 1);
  const text = bareText(whole);
  const isOther =
    /^[£€$(]|\d[.,]\d{2}$|%$/.test(text) || (mark === 'none' && datesIn(text, notation).length > 0);
  return typed(whole, isOther ? DOUBTED : whole.length === rest.length ? 1 : WITH_MORE);
};

const dateIn = (words: readonly Word[], mark: Mark, notation: Notation): TypedValue | null => {
  const text = bareText(words);
  const found = datesIn(text, notation);
  const days = new Set(found.map(({ iso }) => iso));
  if (days.size === 0) return null;
  const rest = besideDate(text, found[0]?.text ?? '');
  const isWhole = isNothing(rest);
  if (days.size > 1 || RELATIVE.test(rest) || (!isWhole && mark === 'none')) return typed(words, UNMARKED);
  return typed(words, isWhole ? 1 : 0.95);
};

/** A text without its date and a time of day. */
const besideDate = (text: string, date: string): string => text.replace(date, ' ').replace(TIME_OF_DAY, ' ');

const TIME_OF_DAY =
  /T?\d{1,2}[:.h]\d{2}(?:[:.]\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2}|\s?[ap]\.?m\.?)?|\b(?:at|um|à|uhr|le|am|den)\b/gi;

const isNothing = (rest: string): boolean => wordsIn(rest).every(isWeekday);

/** Whether a text is a date, with a time of day or a day of the week, and nothing else. */
export const isWholeDate = (text: string, notation: Notation): boolean => {
  const found = datesIn(text, notation);
  return found.some((date) => isNothing(besideDate(text, date.text)));
};

/** "14 days from 1 May 2026" is another day. */
const RELATIVE =
  /\b(?:days?|weeks?|months?|before|after|from|until|within|and|or|und|oder|et|ou|tage?n?|wochen?|monate?n?|nach|vor|ab|bis|jours?|semaines?|mois|après|avant|dès)\b/i;

const PREFIX = /^(?:(?:\(?[\d.,]+\s?%\)?|@|\((?:in )?(?:[€£$]|[a-z]{3}|rm)\))[\s:]*)+(?=.*\d)/i;

const numberIn = (words: readonly Word[], mark: Mark): TypedValue | null => {
  const text = withoutTax(bareText(words))
    .replace(PREFIX, '')
    .replace(/(?<=\d)\s*\((?:[^)\d]|[\d.,]+\s?%)*\)$/, '');
  if (parseAmount(text.replace(/\s?%$/, '')) !== null) return typed(words, 1, text);
  const amounts = amountsIn(text);
  const last = amounts.at(-1);
  if (!last) return null;
  if (amounts.length > 1) return typed(words, UNMARKED, last.text);
  const isFirst = last.start === 0 || !/[\p{L}\p{N}]/u.test(text.slice(0, last.start));
  const [before, behind] = [wordsIn(text.slice(0, last.start)), wordsIn(text.slice(last.end))];
  const isMarked = mark !== 'none';
  if (!isFirst && !isMarked) return null;
  const isPlain = isFirst && behind.length <= 2 && (isMarked || behind.every(({ length }) => length <= 3));
  const isShort = isMarked && before.length + behind.length <= 2;
  return typed(words, isPlain ? 0.92 : isShort ? 0.85 : UNMARKED, last.text);
};

/** Whether a text qualifies the number found in it, or that is no sum of money where the field is one. */
export const isOtherNumber = (
  field: Pick<OutputField, 'name' | 'label'>,
  found: string,
  text: string,
): boolean => {
  const own = text.slice(Math.max(0, text.lastIndexOf(found)));
  if (QUALIFIED.test(text)) return true;
  // Whose credit and whose debit a balance is depends on the bank.
  if (isNamed(field, BALANCES) && /\d\W*(?:cr|dr|[dcsh])\b/i.test(text)) return true;
  return isSum(field) && (COUNTED.test(own) || OTHER_MONEY.test(text));
};

type Named = Pick<OutputField, 'name' | 'label'>;

const isNamed = ({ name, label }: Named, terms: readonly string[]): boolean =>
  [...wordsIn(name), ...wordsIn(label ?? '')].some((word) => terms.includes(word));

/** Whether a field is a sum of money, not a rate of it. */
export const isSum = (field: Named): boolean => isNamed(field, MONEY) && !isNamed(field, RATES_AND_COUNTS);

/** Words that negate or multiply a number; marks for "about", fractions and accountants' signs. */
const QUALIFIED =
  /[<>~≈±½¼¾]|\d\s+[-−–]$|\.\/\.|\d\/\d|\b(?:approx|about|circa|ca|env|environ|up to|bis zu|jusqu|minus|moins|overdrawn|o\/?d|(?:in )?(?:credit|debit)|soll|haben|guthaben|thousand|millions?|billions?|tausend|millionen|milliarden|mille|milliards?|mio|mrd|tsd|mn|bn)\b|(?:cr[ée]dit|d[ée]bit)|\d\s?k\b/i;
const COUNTED =
  /\d\s?(?:%|(?:pct|per ?cent|prozent|items?|articles?|artikel|pieces?|pcs|stück|stk|pièces?|kg|g|km|miles?|hours?|hrs|std|days?|tage|jours?|nights?|points?|pts|pax|persons?)\b)/iu;

/** Hundredths and thousands of a currency, and numbers that refer to something. */
const OTHER_MONEY =
  /\d\s?(?:¢|(?:p|ct|cts|cents?|pence|centimes?|rappen)\b)|(?:\d\s?|\b)[tkm](?:€|[$£]|eur\b|usd\b|gbp\b|chf\b)|\b(?:ref|reference|page|seite|tel|no|nr)\b[.:#\s]*\d/iu;

const BALANCES = ['balance', 'saldo', 'solde'];
const MONEY = [
  ...BALANCES,
  ...vocabulary('total amount sum due paid payable price cost gross net subtotal fee tip tax vat gst sst'),
  ...vocabulary('mwst ust umsatzsteuer mehrwertsteuer betrag rechnungsbetrag gesamtbetrag summe tva montant'),
];
const RATES_AND_COUNTS = vocabulary(
  'rate percent percentage satz steuersatz taux share hours days nights items pieces weight quantity count number points distance',
);
