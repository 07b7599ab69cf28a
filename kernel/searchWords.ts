/** More characters of a word are not compared. */
const MAX_LENGTH = 40;

/**
 * The words that a text is found by: letters and digits without case, accents and width; beside them its days
 * as `20260304` and `202603` and its amounts as `1234p5`, however they are written.
 */
export const wordsIn = (text: string): readonly string[] => {
  const folded = fold(text);
  return [...valuesIn(folded).values.flatMap(({ words }) => words), ...plainWordsIn(folded)];
};

/**
 * The words to look for, each the beginning of a word in `wordsIn` of what is meant. A day, a month or an
 * amount is one word.
 */
export const searchedWords = (text: string): readonly string[] => {
  const { values, rest } = valuesIn(fold(text));
  return [...new Set([...values.map(({ searched }) => searched), ...plainWordsIn(rest)])];
};

/** The word of a number, as in `wordsIn`; none where it has no plain decimals. */
export const amountWord = (value: number): readonly string[] => {
  const [, whole, decimals = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(String(value)) ?? [];
  return whole === undefined ? [] : [decimalWord(whole, decimals)];
};

/** A text without case, accents and width. */
// Upper case first: it has one form of sigma, and two letters for a sharp s.
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase().replaceAll('ς', 'σ');

const plainWordsIn = (folded: string): readonly string[] =>
  (folded.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => [...word].slice(0, MAX_LENGTH).join(''));

type Value = Readonly<{ kind: 'date' | 'amount'; words: readonly string[]; searched: string }>;
type Pattern = readonly [pattern: RegExp, read: (...groups: readonly string[]) => Value | null];

/** Days, months and amounts of a folded text, and what is left of it. */
export const valuesIn = (folded: string): Readonly<{ values: readonly Value[]; rest: string }> => {
  const values: Value[] = [];
  let rest = folded;
  if (/\d/.test(folded))
    for (const [pattern, read] of PATTERNS)
      rest = rest.replace(pattern, (text: string, ...groups: readonly string[]) => {
        const value = read(...groups);
        if (value === null) return text;
        values.push(value);
        return ' ';
      });
  return { values, rest };
};

const day = (year: string, month: string, date: string): Value | null => {
  const [m, d] = [Number(month), Number(date)];
  if (m < 1 || m > 12 || d < 1 || d > 31) return null;
  const ofMonth = `${year}${month.padStart(2, '0')}`;
  const ofDay = `${ofMonth}${date.padStart(2, '0')}`;
  return { kind: 'date', words: [ofDay, ofMonth], searched: ofDay };
};

const month = (year: string, number: string): Value | null => {
  if (Number(number) < 1 || Number(number) > 12) return null;
  const word = `${year}${number.padStart(2, '0')}`;
  return { kind: 'date', words: [word], searched: word };
};

const amount = (whole: string, decimals = ''): Value => {
  const word = decimalWord(whole.replace(/\D/g, ''), decimals);
  return { kind: 'amount', words: [word], searched: word };
};

const decimalWord = (whole: string, decimals: string): string => {
  const fraction = decimals.replace(/0+$/, '');
  return `${whole.replace(/^0+(?=\d)/, '')}${fraction && `p${fraction}`}`;
};

/** Neither a digit nor a mark after one is before, and none behind. */
const alone = (source: string): RegExp =>
  new RegExp(String.raw`(?<!\p{N}|\p{N}[-.,/'’])${source}(?!\p{N}|[-.,/'’]\p{N})`, 'gu');

/** As a word: the year and the number of “RE-2026-04” are no month. */
const asWord = (source: string): RegExp => new RegExp(String.raw`(?<![^\s(])${source}(?![^\s),;])`, 'gu');

/** In a day that is written with strokes the day comes first, unless that is no day. */
const PATTERNS: readonly Pattern[] = [
  [alone(String.raw`((?:19|20)\d\d)[-./](\d{1,2})[-./](\d{1,2})`), (y = '', m = '', d = '') => day(y, m, d)],
  [
    alone(String.raw`(\d{1,2})\s?[-./]\s?(\d{1,2})\s?[-./]\s?((?:19|20)\d\d)`),
    (d = '', m = '', y = '') => day(y, m, d) ?? day(y, d, m),
  ],
  [asWord(String.raw`((?:19|20)\d\d)[-/](\d{2})`), (y = '', m = '') => month(y, m)],
  [asWord(String.raw`(\d{1,2})[-./]((?:19|20)\d\d)`), (m = '', y = '') => month(y, m)],
  [
    alone(String.raw`([1-9]\d{0,2}(?:([.,'’])\d{3})(?:\2\d{3})*)(?:[.,](\d{1,2}))?`),
    (w = '', _mark = '', d) => amount(w, d),
  ],
  [alone(String.raw`([1-9]\d{0,2}(?: \d{3})+)[.,](\d{1,2})`), (w = '', d = '') => amount(w, d)],
  [alone(String.raw`(\d+)[.,](\d+)`), (w = '', d = '') => amount(w, d)],
];
