import type { Notation } from './notation.ts';
import { lettersAsDigits } from './words.ts';

/** An amount in a line: its value, its text, and the start and end of that. */
export type Amount = Readonly<{ value: number; text: string; start: number; end: number; decimals: boolean }>;

const BEHIND = String.raw`(?:€|(?:EUR|Ft|HUF|Kč|CZK|zł|PLN|kr\.?|SEK|NOK|DKK|лв|lei|RON|₽|₴)(?![\p{L}\d]))`;
const GROUPED = String.raw`\d{1,3}(?:[ \u00a0\u202f]\d{3})+`;
/** Groups of thousands before three decimals: "1.250,500". */
const THOUSANDTHS_TOO = String.raw`\d{1,3}(?:\.\d{3})+,\d{3}|\d{1,3}(?:,\d{3})+\.\d{3}`;
const WHOLE = String.raw`(?:${THOUSANDTHS_TOO}|\d{1,3}(?:[,.'’]\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}|${GROUPED}(?=,(?:\d{2}(?!\d)|[-–—])|\s?${BEHIND})|\d+)`;
const CURRENCY = String.raw`(?:\b(?:RM|MYR|USD|EUR|GBP|CHF|SGD|AUD|CAD|JPY|INR|KWD|BHD|OMR|JOD|TND|LYD|IQD|Rs\.?)|[A-Z]{0,2}\$|[€£¥₹])`;
/** "1 234,- Kč": no hundredths. */
const DASH = `[.,](?:[-–—]{1,2}|=)`;
const MINUS = '[-\u2212\u2013\u2012\uff0d]';
/** Before a blank a minus is one only at the start or after a mark: "Total - 5.00" has a dash. */
const SIGN = String.raw`(?:${MINUS}(?:(?<=(?:^|[:=])\s?${MINUS})\s)?|\(\s?)`;
const AMOUNT = new RegExp(
  String.raw`(?<![\p{Nd}.,/:])${SIGN}?(?:${CURRENCY}\s?${SIGN}?)?(?<![\p{Nd}.,/:])${WHOLE}(?:\s?[.,]\s?\d{1,2}(?!\d)|[€£$]\d{2}(?!\d)|${DASH})?` +
    String.raw`(?:(?:\s?(?:${CURRENCY}|${BEHIND}))?(?:\s?\)|${MINUS}(?!\d)|\s?CR\b))?(?![\p{Nd}\p{M}/]|\s?%|[.,:]\d|[⁰¹²³⁴-⁹]{2})`,
  'giu',
);
const MAX_DIGITS = 12;

/** "412.50 (incl. 19% VAT 65.86)" without what is after the amount. */
export const withoutTax = (text: string): string => text.replace(TAX_BEHIND, '');

const TAX_BEHIND =
  /(?<=\d[^(]{0,9})\((?:incl|inkl|including|inclusive|davon|enthält|of which|dont|vat|mwst|tva|tax|gst|iva)\b[^)]{0,60}\)\s*$/i;

/**
 * The amounts in a line from left to right, in the common notations; not percentages, dates and times, nor
 * digits struck out or raised (412⁵⁰).
 */
export const amountsIn = (line: string): readonly Amount[] =>
  [...corrected(line).matchAll(AMOUNT)].flatMap(({ 0: text, index }) => {
    const value = parseAmount(text);
    if (value === null) return [];
    const decimals = /[.,]\s?\d{1,2}\D*$/.test(text);
    return [{ value, text: text.trim(), start: index, end: index + text.length, decimals }];
  });

/** A line with misread digits corrected in what looks like an amount. */
const corrected = (line: string): string =>
  line.replace(ALMOST, (text) => (/\d/.test(text) ? lettersAsDigits(text) : text));

const ALMOST = /(?<![\p{L}\d])[\dOoDlIzZSsB]{1,6}\.\s?[\dOoDlIzZSsB]{2}(?![\p{L}\d.,])/gu;

/**
 * The number of a text in a common notation, else null: `1,234.56`, `1.234,56`, `1 234,56`, `1'234.56`, `RM
 * 80.90`, `$8.20`, `80,90 €`, `-5.00`, `-£5.00`, `£-5.00`, `5.00-`, `(5.00)`, `5.00 CR`, `5€00`, and `1 234,-
 * Kč`, with the gaps of a reading (`39. 80`). A single separator before three digits groups thousands, unless
 * a 0 is before it.
 */
export const parseAmount = (text: string): number | null => {
  const bare = text
    .replace(/(?<=\d)[€£$](?=\d{2}$)/, '.')
    .replace(CURRENCIES, '')
    .replace(DASHED, '')
    .replace(new RegExp(MINUS, 'g'), '-')
    .trim();
  const isNegative = /^-|^\(.*\)$|-$|\bCR$/i.test(bare);
  const digits = bare
    .replace(/\s*\b[CD]R$/i, '')
    .replace(/^[-+(]\s*|\s*[-)]$/g, '')
    .replace(/\s*([.,])\s*/g, '$1')
    .replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, '');
  const notation = NOTATIONS.map((one) => one.exec(digits)).find((found) => found !== null);
  const { whole = '', decimals = '' } = notation?.groups ?? {};
  const plain = whole.replace(/[.,]/g, '');
  if (plain === '' || plain.length + decimals.length > MAX_DIGITS) return null;
  const value = Number(`${plain}.${decimals}`);
  return isNegative ? -value : value;
};

const CURRENCIES = new RegExp(
  String.raw`${CURRENCY}|${BEHIND}|(?:USD|GBP|CHF|SGD|MYR|AUD|CAD|KWD|TND)\b`,
  'giu',
);
const DASHED = new RegExp(String.raw`(?<=\d)${DASH}(?=\s*$)`, 'u');

const NOTATIONS = [
  /^(?<whole>\d+)$/,
  /^(?<whole>\d{1,3}(?:,\d{3})*|\d+)\.(?<decimals>\d{1,2}|\d{4,})$/,
  /^(?<whole>\d{1,3}(?:\.\d{3})*|\d+),(?<decimals>\d{1,2}|\d{4,})$/,
  // The last of several points is the decimal one.
  /^(?<whole>\d{1,3}(?:([.,])\d{3})+)\2(?<decimals>\d{2})$/,
  /^(?<whole>\d{1,3}(?:,\d{3})+)\.(?<decimals>\d{3})$/,
  /^(?<whole>\d{1,3}(?:\.\d{3})+),(?<decimals>\d{3})$/,
  /^(?<whole>\d{1,2}(?:,\d{2})+,\d{3})(?:\.(?<decimals>\d{1,2}))?$/,
  /^(?<whole>[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:\.\d{3})+)$/,
  /^(?<whole>0)[.,](?<decimals>\d{3})$/,
];

/**
 * The number of a text as `parseAmount`, where "1.250" is more than a thousand or little more than one: as
 * the document's other amounts and its currency decide, else the former, in doubt. Null where it is not a
 * number.
 */
export const readAmount = (
  text: string,
  { decimalMark, decimals }: Pick<Notation, 'decimalMark' | 'decimals'>,
): Readonly<{ value: number; isDoubtful: boolean }> | null => {
  const value = parseAmount(text);
  if (value === null) return null;
  const { mark } = THOUSANDTHS.exec(text)?.groups ?? {};
  if (mark === undefined) return { value, isDoubtful: ONE_MARK.test(text) };
  const isSmall = decimals === 3 || decimalMark === mark;
  return { value: isSmall ? value / 1_000 : value, isDoubtful: !isSmall && !decimalMark && decimals !== 2 };
};

/** "1.234.56", where a point may be misread. */
const ONE_MARK = /(?<!\d)\d{1,3}(?:([.,])\d{3})+\1\d{2}(?!\d)/;
/** One separator before three digits, which may be decimals. */
const THOUSANDTHS = /^\D*[1-9]\d{0,2}(?<mark>[.,])\d{3}\D*$/;
