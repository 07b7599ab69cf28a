import type { Value } from '../../sqlite/database.ts';
import type { Query, Range, Scalar, Sort, Where } from '../port.ts';
import { expression, LIVE, tableOf } from './expressions.ts';

/** A piece of SQL and the values of its parameters. */
export type Fragment = Readonly<{ sql: string; values: readonly Value[] }>;

type Key = Sort[number] & Readonly<{ value: Scalar }>;

/** A part of an index: its conditions, the order within it, and the key behind whose value it begins. */
type Stretch = Readonly<{ conditions: readonly Fragment[]; order: Sort; behind: Key | null }>;

/**
 * The statements that give, one after the other, all that comes after `query.after`; each wants a limit as its last
 * value. First comes what equals it in all sort values but the last, then what equals it in all but two, and so on.
 * (A single statement with ORs or row values would sort all anew, begin at the first page, or lose nulls.)
 */
export const pageStatements = (collection: string, query: Query): readonly Fragment[] =>
  stretches(query).map(({ conditions, order, behind }) => {
    const all = [...conditions, ...filters(query.where, behind)];
    const where = [LIVE, ...all.map(({ sql }) => sql)].join(' AND ');
    return {
      sql: `SELECT body FROM ${tableOf(collection)} WHERE ${where}${orderBy(order)} LIMIT ?`,
      values: all.flatMap(({ values }) => values),
    };
  });

const stretches = ({ where, sort, after }: Query): readonly Stretch[] => {
  if (after && after.length !== sort.length)
    throw new Error(`a page goes on after ${sort.length} sort values, not ${after.length}`);
  // What an equality holds still needs no sorting, and SQLite would sort anew if it were named.
  const keys = sort
    .map((key, index) => ({ ...key, value: after?.[index] ?? null }))
    .filter(({ path }) => where[path] === undefined || isRange(where[path]));
  if (!after) return [{ conditions: [], order: keys, behind: null }];
  return keys
    .map((key, index) => {
      const before = keys.slice(0, index).map(({ path, value }) => equals(path, value));
      return behind(key, keys.slice(index + 1), where).map((stretch) => ({
        ...stretch,
        conditions: [...before, ...stretch.conditions],
      }));
    })
    .reverse()
    .flat();
};

/** What comes behind a key's value. Nulls come first, and so last in a descending order. */
const behind = (key: Key, rest: Sort, where: Where): readonly Stretch[] => {
  const { path, direction, value } = key;
  const stretch = { order: [key, ...rest], behind: key };
  if (direction === 'ascending') {
    const lowest = value === null;
    return [{ ...stretch, conditions: [lowest ? anything(path) : compare(path, '>', value)] }];
  }
  if (value === null) return [];
  const lower = { ...stretch, conditions: [compare(path, '<', value)] };
  const nulls = { conditions: [equals(path, null)], order: rest, behind: null };
  return where[path] === undefined ? [lower, nulls] : [lower];
};

const filters = (where: Where, behind: Key | null): readonly Fragment[] =>
  Object.entries(where).flatMap(([path, condition]) =>
    isRange(condition)
      ? bounds(path, condition, behind?.path === path ? behind.direction : null)
      : [equals(path, condition)],
  );

/**
 * A range takes in only values of its own type: numbers come before text. A `+` keeps SQLite from seeking by a bound:
 * the page's start is already one on that side, and the only one that spares reading all that came before the page.
 */
const bounds = (
  path: string,
  { from, before }: Range,
  begun: Key['direction'] | null,
): readonly Fragment[] => {
  const column = expression(path);
  const lower = from ?? (typeof before === 'string' ? '' : undefined);
  const upper = before ?? (typeof from === 'number' ? '' : undefined);
  const bound = (sql: string, value: string | number | undefined): readonly Fragment[] =>
    value === undefined ? [] : [{ sql, values: [value] }];
  return [
    ...bound(`${begun === 'ascending' ? '+' : ''}${column} >= ?`, lower),
    ...bound(`${begun === 'descending' ? '+' : ''}${column} < ?`, upper),
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

const orderBy = (order: Sort): string =>
  order.length === 0
    ? ''
    : ` ORDER BY ${order.map(({ path, direction }) => `${expression(path)} ${direction === 'ascending' ? 'ASC' : 'DESC'}`).join(', ')}`;
