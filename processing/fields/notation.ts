import { type Order, orderOf } from './dates.ts';

/** How a document writes numbers and dates, as far as it tells by itself. */
export type Notation = Readonly<{
  order: Order;
  /** The mark before decimals; null where its amounts don't tell. */
  decimalMark: '.' | ',' | null;
  /** How many decimals the amounts of its currency have; null without one, or with several that differ. */
  decimals: 2 | 3 | null;
  /** The day on which it is read, ISO 8601: a date far from it is doubted. */
  today: string;
}>;

/** The notation of a document by its text; `order`: that of its dates, where it is told. */
export const notationOf = (text: string, today: string, order: Order = orderOf(text, today)): Notation => ({
  order,
  decimalMark: decimalMarkOf(text),
  decimals: decimalsOf(text),
  today,
});

/**
 * Amounts that can be read in one way only: two decimals, groups of thousands before some, or a leading 0.
 */
const POINT = /(?<![\d.,/:-])(?:\d{1,3}(?:[,'’]\d{3})+\.\d{1,3}|0\.\d{3}|\d+\.\d{2})(?![\d.,/:-])/g;
const COMMA = /(?<![\d.,/:-])(?:\d{1,3}(?:[.'’]\d{3})+,\d{1,3}|0,\d{3}|\d+,(?:\d{2}|(?=[-–—])))(?![\d.,/:])/g;
/** A mark is that of the document where so many more amounts have it. */
const CLEARLY = 3;

const decimalMarkOf = (text: string): Notation['decimalMark'] => {
  const [points, commas] = [POINT, COMMA].map((pattern) => text.match(pattern)?.length ?? 0) as [
    number,
    number,
  ];
  if (points > 0 && points >= CLEARLY * commas) return '.';
  return commas > 0 && commas >= CLEARLY * points ? ',' : null;
};

/** Currencies with three decimals (ISO 4217), but the Iraqi dinar: nobody prints its thousandths. */
const THREE = /\b(?:BHD|JOD|KWD|LYD|OMR|TND)\b|\b(?:KD|BD|DT)(?=\s?\d)/;
const TWO =
  /[€£$¥₹]|\b(?:EUR|USD|GBP|CHF|AUD|CAD|SGD|MYR|RM|INR|AED|SAR|QAR|EGP|MAD|PLN|CZK|HUF|SEK|NOK|DKK|TRY|BRL|MXN|ZAR)\b/;

const decimalsOf = (text: string): Notation['decimals'] => {
  const [three, two] = [THREE.test(text), TWO.test(text)];
  return three === two ? null : three ? 3 : 2;
};
