import type { Value } from '../../sqlite/database.ts';
import { type Condition, indexRanges, isRange } from '../indexRanges.ts';
import type { Query, Range, Sort, Where } from '../port.ts';
import { type Collection, expression, liveIn, tableOf, wordsTable } from './collections.ts';
import { wordsCondition } from './words.ts';

/** An SQL fragment and the values of its parameters. */
export type Fragment = Readonly<{ sql: string; values: readonly Value[] }>;

/**
 * The statements that give, one after the other, all that comes after `query.after`; each takes a limit as
 * its last value.
 */
export const pageStatements = (collection: Collection, query: Query, column: string): readonly Fragment[] => {
  const ranges = indexRanges(query);
  const byWords = wordsCondition(collection, query);
  if (byWords) return [wordsStatement(collection, query, column, byWords)];
  return ranges.map(({ start, order }) => {
    const { sql, values } = matching(collection, query.where, start);
    return { sql: `SELECT ${column} ${sql}${orderBy(collection, order)} LIMIT ?`, values };
  });
};

/**
 * Rows are numbered as they come: no row but those of the page, and what the conditions leave out, is read.
 */
const wordsStatement = (
  collection: Collection,
  { where, after }: Query,
  column: string,
  { from, match }: NonNullable<ReturnType<typeof wordsCondition>>,
): Fragment => {
  const { sql, values } = conditionsOf(collection, where, []);
  const last = after?.at(-1);
  const behind =
    last === undefined
      ? ''
      : ` AND found.rowid < (SELECT rowid FROM ${tableOf(collection.name)} WHERE id = ?)`;
  return {
    sql: `SELECT ${column} FROM ${from} WHERE found.${wordsTable(collection.name)} MATCH ?${behind} AND ${sql} ORDER BY found.rowid DESC LIMIT ?`,
    values: [match, ...(last === undefined ? [] : [String(last)]), ...values],
  };
};

/** The statement that counts what fulfils `where`; its last value is the maximum, or -1. */
export const countStatement = (collection: Collection, where: Where): Fragment => {
  const { sql, values } = matching(collection, where, []);
  return { sql: `SELECT count(*) FROM (SELECT 1 ${sql} LIMIT ?)`, values };
};

const matching = (collection: Collection, where: Where, start: readonly Condition[]): Fragment => {
  const { sql, values } = conditionsOf(collection, where, start);
  return { sql: `FROM ${tableOf(collection.name)} WHERE ${sql}`, values };
};

const conditionsOf = (collection: Collection, where: Where, start: readonly Condition[]): Fragment => {
  const column = (path: string): string => expression(collection, path);
  const all = [
    ...start.map((condition) => compare(column(condition.path), condition)),
    ...Object.entries(where).flatMap(([path, condition]) =>
      isRange(condition)
        ? bounds(column(path), condition, start.find((one) => one.path === path)?.is)
        : [compare(column(path), { is: 'equal', value: condition })],
    ),
  ];
  return {
    sql: [liveIn(collection), ...all.map(({ sql }) => sql)].join(' AND '),
    values: all.flatMap(({ values }) => values),
  };
};

/**
 * A range takes in only values of its own type: numbers come before text. A `+` keeps SQLite from seeking by
 * a bound where the page's start is the better one: it would read all pages that came before.
 */
const bounds = (
  column: string,
  { from, before }: Range,
  start: Condition['is'] | undefined,
): readonly Fragment[] => {
  const lower = from ?? (typeof before === 'string' ? '' : undefined);
  const upper = before ?? (typeof from === 'number' ? '' : undefined);
  const bound = (sql: string, value: string | number | undefined): readonly Fragment[] =>
    value === undefined ? [] : [{ sql, values: [value] }];
  return [
    ...bound(`${start === 'equal' || start === 'above' ? '+' : ''}${column} >= ?`, lower),
    ...bound(`${start === 'equal' || start === 'below' ? '+' : ''}${column} < ?`, upper),
  ];
};

const OPERATORS = { equal: '=', above: '>', below: '<' } as const;

const compare = (column: string, { is, value }: Omit<Condition, 'path'>): Fragment => {
  // Minus infinity is the lowest of all values, and no JSON holds it.
  if (value === null) return { sql: `${column} ${is === 'equal' ? 'IS NULL' : '>= -9e999'}`, values: [] };
  // json_extract gives 1 and 0 for true and false.
  return {
    sql: `${column} ${OPERATORS[is]} ?`,
    values: [typeof value === 'boolean' ? Number(value) : value],
  };
};

const orderBy = (collection: Collection, order: Sort): string => {
  const columns = order.map(
    ({ path, direction }) => `${expression(collection, path)} ${direction === 'ascending' ? 'ASC' : 'DESC'}`,
  );
  return columns.length === 0 ? '' : ` ORDER BY ${columns.join(', ')}`;
};
