import type { Value } from '../../sqlite/database.ts';
import type { Query, Range, Scalar, Sort, Where } from '../port.ts';
import { expression, LIVE, tableOf } from './expressions.ts';

/** A piece of SQL and the values of its parameters. */
export type Fragment = Readonly<{ sql: string; values: readonly Value[] }>;

type Key = Sort[number] & Readonly<{ value: Scalar }>;

/** Which bounds of a path's range the page's start already sets, or outdoes. */
type Settled = Readonly<{ path: string; lower: boolean; upper: boolean }>;

/** A part of an index: what it begins with, and the order of what is in it. */
type Stretch = Readonly<{ start: readonly Fragment[]; settled: readonly Settled[]; order: Sort }>;

/**
 * The statements that give, one after the other, all that comes after `query.after`; each wants a limit as its last
 * value. First comes what equals it in all sort values but the last, then what equals it in all but two, and so on.
 * (A single statement with ORs or row values would sort all anew, begin at the first page, or lose nulls.)
 */
export const pageStatements = (collection: string, query: Query): readonly Fragment[] =>
  stretches(query).map(({ start, settled, order }) => {
    const all = [...start, ...filters(query.where, settled)];
    const where = [LIVE, ...all.map(({ sql }) => sql)].join(' AND ');
    return {
      sql: `SELECT body FROM ${tableOf(collection)} WHERE ${where}${orderBy(order)} LIMIT ?`,
      values: all.flatMap(({ values }) => values),
    };
  });

/** The statement that counts what fulfils `where`; it wants the most to count, or -1, as its last value. */
export const countStatement = (collection: string, where: Where): Fragment => {
  const all = filters(where, []);
  const conditions = [LIVE, ...all.map(({ sql }) => sql)].join(' AND ');
  return {
    sql: `SELECT count(*) FROM (SELECT 1 FROM ${tableOf(collection)} WHERE ${conditions} LIMIT ?)`,
    values: all.flatMap(({ values }) => values),
  };
};

const stretches = ({ where, sort, after }: Query): readonly Stretch[] => {
  if (after && after.length !== sort.length)
    throw new Error(`a page goes on after ${sort.length} sort values, not ${after.length}`);
  // What an equality holds still needs no sorting, and SQLite would sort anew if it were named.
  const keys = sort
    .map((key, index) => ({ ...key, value: after?.[index] ?? null }))
    .filter(({ path }) => where[path] === undefined || isRange(where[path]));
  if (!after) return [{ start: [], settled: [], order: keys }];
  const through = (index: number): readonly Stretch[] => {
    const equal = keys.slice(0, index);
    return behind(keys.slice(index), where).map(({ start, settled, order }) => ({
      start: [...equal.map(({ path, value }) => equals(path, value)), ...start],
      settled: [...equal.map(({ path }) => ({ path, lower: true, upper: true })), ...settled],
      order,
    }));
  };
  return keys.flatMap((_, index) => through(keys.length - 1 - index));
};

/** What comes behind the first key's value. Nulls come first, and so last in a descending order. */
const behind = (order: readonly Key[], where: Where): readonly Stretch[] => {
  const [key, ...rest] = order;
  if (!key) return [];
  const { path, value } = key;
  if (key.direction === 'ascending') {
    const start = [value === null ? anything(path) : compare(path, '>', value)];
    return [{ start, settled: [{ path, lower: true, upper: false }], order }];
  }
  if (value === null) return [];
  const lower = {
    start: [compare(path, '<', value)],
    settled: [{ path, lower: false, upper: true }],
    order,
  };
  const mayBeNull = rest.length > 0 && !isBounded(where[path]);
  return mayBeNull ? [lower, { start: [equals(path, null)], settled: [], order: rest }] : [lower];
};

const filters = (where: Where, settled: readonly Settled[]): readonly Fragment[] =>
  Object.entries(where).flatMap(([path, condition]) => {
    if (!isRange(condition)) return [equals(path, condition)];
    return bounds(path, condition, settled.find((one) => one.path === path) ?? NOTHING);
  });

const NOTHING = { lower: false, upper: false };

/**
 * A range takes in only values of its own type: numbers come before text. A `+` keeps SQLite from seeking by a bound
 * where the page's start is the better one: it would read all pages that came before.
 */
const bounds = (
  path: string,
  { from, before }: Range,
  settled: Omit<Settled, 'path'>,
): readonly Fragment[] => {
  const column = expression(path);
  const lower = from ?? (typeof before === 'string' ? '' : undefined);
  const upper = before ?? (typeof from === 'number' ? '' : undefined);
  const bound = (sql: string, value: string | number | undefined): readonly Fragment[] =>
    value === undefined ? [] : [{ sql, values: [value] }];
  return [
    ...bound(`${settled.lower ? '+' : ''}${column} >= ?`, lower),
    ...bound(`${settled.upper ? '+' : ''}${column} < ?`, upper),
  ];
};

const equals = (path: string, value: Scalar): Fragment =>
  value === null ? { sql: `${expression(path)} IS NULL`, values: [] } : compare(path, '=', value);

// json_extract gives 1 and 0 for true and false.
const compare = (path: string, operator: '=' | '<' | '>', value: string | number | boolean): Fragment => ({
  sql: `${expression(path)} ${operator} ?`,
  values: [typeof value === 'boolean' ? Number(value) : value],
});

/** Whatever is not null: minus infinity is the lowest of all values, and no JSON holds it. */
const anything = (path: string): Fragment => ({ sql: `${expression(path)} >= -9e999`, values: [] });

const isRange = (condition: Scalar | Range | undefined): condition is Range =>
  typeof condition === 'object' && condition !== null;

const isBounded = (condition: Scalar | Range | undefined): boolean =>
  isRange(condition) && (condition.from !== undefined || condition.before !== undefined);

const orderBy = (order: Sort): string =>
  order.length === 0
    ? ''
    : ` ORDER BY ${order.map(({ path, direction }) => `${expression(path)} ${direction === 'ascending' ? 'ASC' : 'DESC'}`).join(', ')}`;
