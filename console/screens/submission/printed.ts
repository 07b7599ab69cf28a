/** What was typed as a number or date: its one reading, the two that it could have, or that it has none. */
type Printed<T> = Readonly<{ value: T }> | Readonly<{ readings: readonly [string, string] }> | null;

const SIGN = /^[-−]/;
/** Digits in threes with a sign of one kind between them, and decimals behind another one. */
const GROUPED = /^([1-9]\d{0,2}(?:([.,'’\s])\d{3})(?:\2\d{3})*)(?:([.,])(\d+))?$/;
const PLAIN = /^(\d+)(?:[.,](\d+))?$/;

/** More digits than a number of JavaScript keeps would be sent as another value. */
const MOST_DIGITS = 15;

/**
 * A number as it is printed: 1234.5, 1,234.50, 1.234,50, 1 234,50, 1'234.50. One such as 1.234 has two
 * readings, unless it must be whole and only one of them is.
 */
export const numberOf = (text: string, type: 'number' | 'integer'): Printed<number> => {
  const sign = SIGN.test(text) ? '-' : '';
  const digits = text.replace(SIGN, '');
  const fits = (reading: string): boolean =>
    reading.replaceAll(/\D/g, '').replace(/^0+/, '').length <= MOST_DIGITS &&
    (type === 'number' || Number.isInteger(Number(reading)));
  const [decimal, grouped] = [plainOf(digits), groupedOf(digits)].map((reading) =>
    reading !== null && fits(reading) ? sign + reading : null,
  );
  if (decimal && grouped) return { readings: [decimal, grouped] };
  const only = decimal ?? grouped ?? null;
  return only === null ? null : { value: Number(only) };
};

const plainOf = (text: string): string | null => {
  const [, whole, decimals] = PLAIN.exec(text) ?? [];
  return whole === undefined ? null : joined(whole, decimals);
};

const groupedOf = (text: string): string | null => {
  const [, whole, group, point, decimals] = GROUPED.exec(text) ?? [];
  return whole === undefined || group === point ? null : joined(whole.replaceAll(/\D/g, ''), decimals);
};

const joined = (whole: string, decimals = ''): string => (decimals ? `${whole}.${decimals}` : whole);

/**
 * A date as YYYY-MM-DD: its year comes first, its month is named, or day and month can't be each other.
 * `months` are the names of the months, in lower case. Two digits are no year: they could be a day.
 */
export const dateOf = (text: string, months: readonly string[]): Printed<string> => {
  const parts = text.toLowerCase().match(/[\p{L}\p{M}]+|\d+/gu) ?? [];
  if (parts.length !== 3 || !/^[\p{L}\p{M}\d\s,./-]+$/u.test(text)) return null;
  const [first = '', second = '', third = ''] = parts;
  const isNumeric = parts.every((part) => /^\d{1,4}$/.test(part));
  const possible =
    isNumeric && first.length < 3 && third.length === 4
      ? [isoOf(third, second, first), isoOf(third, first, second)]
      : [first.length === 4 ? isoOf(first, second, third) : byName(parts, months)];
  const [one, other] = new Set(possible.filter((date) => date !== null));
  if (one === undefined) return null;
  return other === undefined ? { value: one } : { readings: [one, other] };
};

/** The day, if there is one. */
const isoOf = (year: string, month: string, day: string): string | null => {
  const found = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(found) && String(new Date(found).toJSON()).startsWith(found);
  return isDate ? found : null;
};

/** A date such as `12 May 2026` or `May 12, 2026`. */
const byName = (parts: readonly string[], months: readonly string[]): string | null => {
  const name = parts.find((part) => /^\D{3,}$/.test(part)) ?? '-';
  const [month, ...others] = months.flatMap((one, index) =>
    one.startsWith(name) ? [String(index + 1)] : [],
  );
  const [day = '', year = ''] = parts.filter((part) => part !== name);
  return month !== undefined && others.length === 0 ? isoOf(year, month, day) : null;
};
