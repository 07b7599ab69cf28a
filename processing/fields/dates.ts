import { contradicts } from './weekdays.ts';
import { lettersAsDigits } from './words.ts';

/**
 * A date in a text: ISO 8601, its text and start, whether day and month may be exchanged, and whether a
 * reading with another year fits as well, or the day of the week beside it is another one.
 */
export type FoundDate = Readonly<{
  iso: string;
  text: string;
  start: number;
  ambiguous: boolean;
  isDoubtful: boolean;
}>;
/** `unknown`: an ambiguous date is read with the day first, as a guess. */
export type Order = 'day-first' | 'month-first' | 'unknown';
/** How dates are read; `today` (ISO 8601) decides what two digits of a year mean. */
export type Calendar = Readonly<{ order: Order; today: string }>;

const GAP = String.raw`\s?[-/.]\s?`;
const MONTH = `([A-Za-zéûäç]{3,10})`;
/** Behind a `de` whose blank was lost. */
const SPANISH = '(?:ene|feb|mar|abr|may|jun|jul|ago|sep|oct|nov|dic)';
const YEAR = String.raw`((?:19|20)\d{2}|\d{2})`;
/** No number before, but a time of day that was printed too close. */
const AHEAD = String.raw`(?:(?<=\b\d{1,2}:\d{2}(?::\d{2})?)|(?<!\d|\d[.,:]|[-/]))`;
/** A time of day may follow directly, or after a mark. */
const TIME = String.raw`\d{1,2}:\d{2}`;
const BEHIND = String.raw`(?=[-/:,. ]?${TIME}|(?!\d|[-/:.,]\d))`;

/**
 * The dates in a line, in the common formats: ISO, `20180304`, `25/12/2018`, `12/25/2018`, `02-03-18`,
 * `14/MAY/2017`, `11 APR 2018`, `April 11th, 2018`, `2018年3月4日`; `26-10-05` begins with the year where only
 * that is near today. Where day and month are ambiguous, `order` decides.
 */
export const datesIn = (line: string, calendar: Calendar): readonly FoundDate[] => {
  const text = /\d/.test(line) ? corrected(line) : ''; // most lines have none
  return PATTERNS.flatMap(([pattern, read]) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const date = read(match.slice(1), calendar);
      if (!date) return [];
      const end = match.index + match[0].length;
      const isOther = contradicts(
        date.iso,
        text.slice(Math.max(0, match.index - NAME), match.index),
        text.slice(end),
      );
      const isDoubtful = date.isDoubtful === true || isOther;
      return [{ ...date, isDoubtful, text: match[0].trim(), start: match.index }];
    }),
  );
};

/**
 * More characters than the longest name of a weekday with its marks: a long line is not read anew for each
 * date.
 */
const NAME = 32;

/** Whether a line has a date, whichever it is. */
export const hasDate = (line: string): boolean =>
  datesIn(line, { order: 'day-first', today: '2000-01-01' }).length > 0;

/** A line with misread digits corrected in what looks like a date; a misread first digit of a year is 2. */
const corrected = (line: string): string =>
  line.replace(ALMOST, (text) =>
    (text.match(/\d/g) ?? []).length < 4 ? text : lettersAsDigits(text).replace(/[7?](?=0[0-4]\d$)/, '2'),
  );

const ALMOST =
  /(?<![\p{L}\d])[\dOoDQlI|zZsSB]{1,2}([-/.])[\dOoDQlI|zZsSB]{1,2}\1[\dOoDQlI|zZsSB?]{2,4}(?![\p{L}\d])/gu;

/** The order by a document's unambiguous dates, by an American address, or by words of other countries. */
export const orderOf = (text: string, today: string): Order => {
  const sure = [...text.matchAll(SAME_MARKS)].flatMap(({ groups = {}, index }): Order[] => {
    const { a = '', mark = '', b = '', year = '' } = groups;
    if (NO_DATE.test(text.slice(Math.max(0, index - 12), index))) return [];
    const [dayFirst, monthFirst] = [toIso(year, Number(b), Number(a)), toIso(year, Number(a), Number(b))];
    if (dayFirst !== null && monthFirst !== null) return [];
    if (yearFirst({ a, mark, b, year }) !== null && !isNear(dayFirst ?? monthFirst, today)) return [];
    return dayFirst ? ['day-first'] : monthFirst ? ['month-first'] : [];
  });
  if (sure.length > 0) return sure.includes('day-first') ? 'day-first' : 'month-first';
  const [american, other] = [AMERICAN_ADDRESS.test(text), ELSEWHERE.test(text)];
  if (american === other) return 'unknown';
  return american ? 'month-first' : 'day-first';
};

/** Currencies, postcodes and words of countries that write the day first. */
const ELSEWHERE =
  /[£€] ?-?\d|\d ?€|\b(?:RM|MYR|GBP|EUR|CHF) ?-?\d|\d ?(?:MYR|GBP|EUR|CHF)\b|\b(?:Jalan|Malaysia)\b|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b|^\W*(?:\w*datum|Rechnung|Betrag|Summe|Gesamt|Facture|Montant|Tarikh|Jumlah|Resit)\b/im;

const NO_DATE = /\b(?:tel|telephone|phone|fax|time|ver|version|v|no|id)\W{0,3}$/i;

/** States whose letters have no other meaning before a number; all states count after a comma. */
const STATES =
  'AL|AK|AZ|AR|CA|CT|DE|FL|GA|IL|IA|KS|KY|MD|MI|MN|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC';
const AMERICAN_ADDRESS = new RegExp(
  String.raw`(?:\p{L},? (?:${STATES})|\p{L}, ?(?:${STATES}|CO|HI|ID|IN|LA|MA|ME|MS|OK|OR|PA)) \d{5}(?:-\d{4})?(?!\d)`,
  'u',
);

type Read = (
  parts: readonly string[],
  calendar: Calendar,
) => (Pick<FoundDate, 'iso' | 'ambiguous'> & Partial<Pick<FoundDate, 'isDoubtful'>>) | null;

const SAME_MARKS = new RegExp(
  `${AHEAD}(?<a>\\d{1,2})(?<mark>\\s?[-/.]\\s?)(?<b>\\d{1,2})\\k<mark>(?<year>(?:19|20)\\d{2}|\\d{2})${BEHIND}`,
  'g',
);
const numeric = (gap: string): string => `${AHEAD}(\\d{1,2})(${gap})(\\d{1,2})${gap}${YEAR}${BEHIND}`;

const sure = (iso: string | null) => (iso === null ? null : { iso, ambiguous: false });

const readNumeric: Read = ([a = '', mark = '', b = '', year = ''], { order, today }) => {
  const day = toIso(year, Number(b), Number(a));
  const month = toIso(year, Number(a), Number(b));
  const iso = order === 'month-first' ? (month ?? day) : (day ?? month);
  const ambiguous = day !== null && month !== null && day !== month;
  const other = yearFirst({ a, mark, b, year });
  if (other !== null && other !== iso && isNear(other, today)) {
    if (!isNear(iso, today)) return { iso: other, ambiguous: false };
    return { iso: iso ?? other, ambiguous, isDoubtful: true };
  }
  return iso === null ? null : { iso, ambiguous };
};

type Parts = Readonly<{ a: string; mark: string; b: string; year: string }>;

/** Numbers with hyphens as year, month and day, as ISO 8601 orders them: `26-10-05`. */
const yearFirst = ({ a, mark, b, year }: Parts): string | null =>
  mark.trim() === '-' && a.length === 2 && year.length === 2 ? toIso(a, Number(b), Number(year)) : null;

const NEAR_BEHIND = 15;
const NEAR_AHEAD = 1;

/** Whether a day is one of the years in which most documents that are read today were made. */
const isNear = (iso: string | null, today: string): boolean =>
  iso !== null && yearsFrom(iso, today) >= -NEAR_BEHIND && !isAhead(iso, today);

/** Whether a day lies further ahead than that of a document that is read today. */
export const isAhead = (iso: string, today: string): boolean => yearsFrom(iso, today) > NEAR_AHEAD;

/** The years from one day (ISO 8601) to another, negative for one that is earlier. */
export const yearsFrom = (iso: string, today: string): number =>
  (Date.parse(iso) - Date.parse(today)) / YEAR_MS;

const YEAR_MS = 365.25 * 86_400_000;

const readIso: Read = ([year = '', month, day]) => sure(toIso(year, Number(month), Number(day)));

const FORMATS: readonly (readonly [pattern: string, read: Read])[] = [
  [`${AHEAD}((?:19|20)\\d{2})${GAP}(\\d{1,2})${GAP}(\\d{1,2})${BEHIND}`, readIso],
  [
    `${AHEAD}\\b((?:19|20)\\d{2})([01]\\d)([0-3]\\d)(?:(?=[0-2]\\d(?:[0-5]\\d){1,2}\\b)|\\b${BEHIND})`,
    readIso,
  ],
  ['(?<!\\d)((?:19|20)\\d{2})\\s?[年년]\\s?(\\d{1,2})\\s?[月월]\\s?(\\d{1,2})\\s?[日일]', readIso],
  // With points the month is never first.
  [
    numeric('\\s?\\.\\s?'),
    (parts, { today }) => sure(readNumeric(parts, { order: 'day-first', today })?.iso ?? null),
  ],
  [numeric(GAP), readNumeric],
  [`${AHEAD}\\b(\\d{2})([ ,'])(\\d{2})\\2(20\\d{2})${BEHIND}`, readNumeric],
  [
    `${AHEAD}(\\d{1,2})(?:st|nd|rd|th|er|[º°ª.])?(?: of\\b| de\\b| ?de(?=${SPANISH}))?[-/ ,.]{0,2}${MONTH}(?: del?(?=\\b|\\d))?[-/ ,.']{0,2}${YEAR}${BEHIND}`,
    ([day, month = '', year = '']) => sure(toIso(year, monthNumber(month), Number(day))),
  ],
  [
    `\\b${MONTH}[-/ .]{0,2}(\\d{1,2})(?:st|nd|rd|th)?(?:[-/ ,.]{1,2}((?:19|20)\\d{2})|,? ?['’](\\d{2}))${BEHIND}`,
    ([month = '', day, year, short = '']) => sure(toIso(year ?? short, monthNumber(month), Number(day))),
  ],
];
const PATTERNS = FORMATS.map(([pattern, read]) => [new RegExp(pattern, 'gi'), read] as const);

const MONTHS: readonly (readonly string[])[] = [
  'january januar janvier enero januari janeiro gennaio',
  'february februar février fevrier febrero februari fevereiro febbraio',
  'march märz maerz mrz mars marzo mac março marco',
  'april avril abril aprile',
  'may mai mayo mei maio maggio',
  'june juni juin junio jun junho giugno',
  'july juli juillet julio julai julho luglio',
  'august août aout agosto ogos',
  'september septembre septiembre setiembre setembro settembre',
  'october oktober octobre octubre outubro ottobre',
  'november novembre noviembre novembro',
  'december dezember décembre decembre diciembre disember dezembro dicembre',
].map((names) => names.split(' '));

/** The number of a month by its name or a prefix of it, 0 for another word. */
const monthNumber = (name: string): number => {
  const word = name.toLowerCase();
  return MONTHS.findIndex((names) => names.some((one) => one.startsWith(word))) + 1;
};

/** The ISO 8601 date of an existing day from 1950 to 2099, else null. The years 80 to 99 are 19xx. */
const toIso = (year: string, month: number, day: number): string | null => {
  const full = year.length === 4 ? Number(year) : Number(year) + (Number(year) >= 80 ? 1900 : 2000);
  const date = new Date(Date.UTC(full, month - 1, day));
  if (full < 1950 || full > 2099) return null;
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return date.toISOString().slice(0, 10);
};
