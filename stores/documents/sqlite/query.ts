import type { Value } from '../../sqlite/database.ts';
import { type Condition, indexRanges, isRange, type Settled } from '../indexRanges.ts';
import type { Query, Range, Scalar, Sort, Where } from '../port.ts';
import type { Collection } from './collections.ts';
import { expression, LIVE, tableOf } from './expressions.ts';

/** An SQL fragment and the values of its parameters. */
export type Fragment = Readonly<{ sql: string; values: readonly Value[] }>;

/**
 * The statements that give, one after the other, all that comes after `query.after`; each takes a limit as
 * its last value. What an equality holds still must not be in their orders: SQLite would sort anew.
 */
export const pageStatements = (collection: Collection, query: Query): readonly Fragment[] =>
  indexRanges(query).map(({ start, settled, order }) => {
    const all = [
      ...start.map((condition) => fragment(collection, condition)),
      ...filters(collection, query.where, settled),
    ];
    const where = [LIVE, ...all.map(({ sql }) => sql)].join(' AND ');
    return {
      sql: `SELECT body FROM ${tableOf(collection.name)} WHERE ${where}${orderBy(collection, order)} LIMIT ?`,
      values: all.flatMap(({ values }) => values),
    };
  });

/** The statement that counts what fulfils `where`; its last value is the most to count, or -1. */
export const countStatement = (collection: Collection, where: Where): Fragment => {
  const all = filters(collection, where, []);
  const conditions = [LIVE, ...all.map(({ sql }) => sql)].join(' AND ');
  return {
    sql: `SELECT count(*) FROM (SELECT 1 FROM ${tableOf(collection.name)} WHERE ${conditions} LIMIT ?)`,
    values: all.flatMap(({ values }) => values),
  };
};

const filters = (collection: Collection, where: Where, settled: readonly Settled[]): readonly Fragment[] =>
  Object.entries(where).flatMap(([path, condition]) => {
    if (!isRange(condition)) return [equals(collection, path, condition)];
    return bounds(collection, path, condition, settled.find((one) => one.path === path) ?? NOTHING);
  });

const NOTHING = { lower: false, upper: false };

/**
 * A range takes in only values of its own type: numbers come before text. A `+` keeps SQLite from seeking by
 * a bound where the page's start is the better one: it would read all pages that came before.
 */
const bounds = (
  collection: Collection,
  path: string,
  { from, before }: Range,
  settled: Omit<Settled, 'path'>,
): readonly Fragment[] => {
  const column = expression(collection, path);
  const lower = from ?? (typeof before === 'string' ? '' : undefined);
  const upper = before ?? (typeof from === 'number' ? '' : undefined);
  const bound = (sql: string, value: string | number | undefined): readonly Fragment[] =>
    value === undefined ? [] : [{ sql, values: [value] }];
  return [
    ...bound(`${settled.lower ? '+' : ''}${column} >= ?`, lower),
    ...bound(`${settled.upper ? '+' : ''}${column} < ?`, upper),
  ];
};

const fragment = (collection: Collection, condition: Condition): Fragment => {
  const { path } = condition;
  switch (condition.is) {
    case 'equal':
      return equals(collection, path, condition.value);
    case 'there':
      // Minus infinity is the lowest of all values, and no JSON holds it.
      return { sql: `${expression(collection, path)} >= -9e999`, values: [] };
    default:
      return compare(collection, path, condition.is === 'above' ? '>' : '<', condition.value);
  }
};

const equals = (collection: Collection, path: string, value: Scalar): Fragment =>
  value === null
    ? { sql: `${expression(collection, path)} IS NULL`, values: [] }
    : compare(collection, path, '=', value);

// json_extract gives 1 and 0 for true and false.
const compare = (
  collection: Collection,
  path: string,
  operator: '=' | '<' | '>',
  value: string | number | boolean,
): Fragment => ({
  sql: `${expression(collection, path)} ${operator} ?`,
  values: [typeof value === 'boolean' ? Number(value) : value],
});

const orderBy = (collection: Collection, order: Sort): string =>
  order.length === 0
    ? ''
    : ` ORDER BY ${order.map(({ path, direction }) => `${expression(collection, path)} ${direction === 'ascending' ? 'ASC' : 'DESC'}`).join(', ')}`;
