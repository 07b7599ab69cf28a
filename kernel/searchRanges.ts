import { fold, searchedWords, valuesIn } from './searchWords.ts';

/** Beginnings of which one begins a word of what is meant. */
export type Term = readonly string[];

/**
 * What to look for, all of it; `fault` says which range can't be read, null where all can. A range is written
 * `from..to` and may be open at one end.
 */
export const searchedTerms = (text: string): Readonly<{ terms: readonly Term[]; fault: string | null }> => {
  const terms: Term[] = [];
  const faults: string[] = [];
  const rest = fold(text).replace(RANGE, (range) => {
    const read = readRange(range);
    if (typeof read === 'string') faults.push(`${range} is no range: ${read}`);
    else terms.push(read);
    return ' ';
  });
  terms.push(...searchedWords(rest).map((word) => [word]));
  return { terms, fault: faults[0] ?? null };
};

/**
 * The word by which a range finds a value: of a number, and of a text that is a day and nothing else. None
 * where a number is too large.
 */
export const rangeWords = (value: string | number): readonly string[] => {
  if (typeof value === 'number')
    return Math.abs(value) < MAX_AMOUNT ? [`${MARKS.amount}${amountDigits(value)}`] : [];
  const { values, rest } = valuesIn(fold(value));
  const [one, ...others] = values;
  const isDay = one?.kind === 'date' && one.searched.length === DAY_DIGITS;
  return isDay && others.length === 0 && rest.trim() === '' ? [`${MARKS.date}${one.searched}`] : [];
};

/** Begin the words of values. They are upper case, which no word of a text is. */
const MARKS = { date: 'Δ', amount: 'Σ' } as const;

/** With two dots, and a digit at the start of an end. */
const RANGE = /(?<!\S)(?:[-−+]?\d\S*?\.\.\S*|\.\.[-−+]?\d\S*)/gu;

/** The least and the greatest that an end of a range names, as digits that sort as they do. */
type End = Readonly<{ kind: keyof typeof MARKS; least: string; greatest: string }>;

/** The beginnings of the words in a range, or what is wrong with it. */
const readRange = (range: string): Term | string => {
  const dots = range.indexOf('..');
  const [before, behind] = [range.slice(0, dots), range.slice(dots + 2)];
  const [from, to] = [endOf(before), endOf(behind)];
  if (before && !from) return `${before} is neither a date nor an amount`;
  if (behind && !to) return `${behind} is neither a date nor an amount`;
  const kind = from?.kind ?? to?.kind ?? 'date';
  if (to && to.kind !== kind) return 'one end is a date, the other an amount';
  const least = from?.least ?? LEAST[kind];
  const greatest = to?.greatest ?? '9'.repeat(least.length);
  if (least > greatest) return `${before} comes after ${behind}`;
  return covering(least, greatest).map((digits) => MARKS[kind] + digits);
};

const endOf = (text: string): End | null => {
  const [, sign = '', written = ''] = /^([-−+]?)(.*)$/u.exec(text) ?? [];
  const { values, rest } = valuesIn(written);
  const [one = /^\d+$/.test(written) ? { kind: 'amount' as const, searched: written } : undefined] = values;
  if (!one || values.length > 1 || (values.length === 1 && rest.trim() !== '')) return null;
  const { kind, searched } = one;
  if (kind === 'date') return sign ? null : { kind, ...daysOf(searched) };
  const digits = amountDigits(Number(searched.replace('p', '.')) * (sign === '' || sign === '+' ? 1 : -1));
  return { kind, least: digits, greatest: digits };
};

const DAY_DIGITS = 8;

/** All days of a month or a year begin alike: at their ends few beginnings are needed. */
const daysOf = (digits: string) => {
  const [year, month, date = 0] = [digits.slice(0, 4), digits.slice(4, 6), Number(digits.slice(6))];
  const length = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return {
    least: (date > 1 ? digits : `${year}${month === '01' ? '' : month}`).padEnd(DAY_DIGITS, '0'),
    greatest: (date && date < length ? digits : `${year}${month === '12' ? '' : month}`).padEnd(
      DAY_DIGITS,
      '9',
    ),
  };
};

/** Amounts are compared to four decimals, and below a hundred billion. */
const DECIMALS = 10_000;
const MAX_AMOUNT = 1e11;
const OFFSET = MAX_AMOUNT * DECIMALS;

/** Of all amounts as many digits, of negative ones too: all are raised by the same. */
const amountDigits = (amount: number): string => {
  const raised = OFFSET + Math.round(amount * DECIMALS);
  return String(Math.min(Math.max(raised, 0), 2 * OFFSET)).padStart(AMOUNT_DIGITS, '0');
};
const AMOUNT_DIGITS = String(2 * OFFSET).length;

const LEAST = { date: '0'.repeat(DAY_DIGITS), amount: '0'.repeat(AMOUNT_DIGITS) } as const;

/** The fewest beginnings that all digits from `least` to `greatest` have, and no others of as many. */
const covering = (least: string, greatest: string): readonly string[] => {
  if (/^0*$/.test(least) && /^9*$/.test(greatest)) return [''];
  const [low, high] = [Number(least[0]), Number(greatest[0])];
  return Array.from({ length: high - low + 1 }, (_, n) => low + n).flatMap((digit) =>
    covering(
      digit === low ? least.slice(1) : '0'.repeat(least.length - 1),
      digit === high ? greatest.slice(1) : '9'.repeat(least.length - 1),
    ).map((digits) => `${digit}${digits}`),
  );
};
