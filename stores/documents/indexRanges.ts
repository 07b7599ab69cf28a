import { valueAt } from './memberPaths.ts';
import type { Query, Range, ResultPage, Scalar, Sort, Where } from './port.ts';

/** A condition on the value at a path: equal, above, below, or not null. */
export type Condition = Readonly<{ path: string }> &
  (
    | Readonly<{ is: 'equal'; value: Scalar }>
    | Readonly<{ is: 'above' | 'below'; value: string | number | boolean }>
    | Readonly<{ is: 'there' }>
  );

/** Which bounds of a path's range the page's start already sets, or outdoes. */
export type Settled = Readonly<{ path: string; lower: boolean; upper: boolean }>;

/** A part of an index: its prefix, and the order of what is in it. */
export type IndexRange = Readonly<{
  start: readonly Condition[];
  settled: readonly Settled[];
  order: Sort;
}>;

type Key = Sort[number] & Readonly<{ value: Scalar }>;

/**
 * The indexRanges of an index that hold, one after the other, all that comes after `query.after`. First comes
 * what equals it in all sort values but the last, then what equals it in all but two, and so on. (A single
 * query with ORs would sort all anew, start at the first page, or lose nulls.) What an equality holds still
 * is not in their orders.
 */
export const indexRanges = ({ where, sort, after }: Query): readonly IndexRange[] => {
  if (after && after.length !== sort.length)
    throw new Error(`a page continues after ${sort.length} sort values, not ${after.length}`);
  const keys = sort
    .map((key, index) => ({ ...key, value: after?.[index] ?? null }))
    .filter(({ path }) => where[path] === undefined || isRange(where[path]));
  if (!after) return [{ start: [], settled: [], order: keys }];
  const through = (index: number): readonly IndexRange[] => {
    const equal = keys.slice(0, index);
    return behind(keys.slice(index), where).map(({ start, settled, order }) => ({
      start: [...equal.map(({ path, value }) => ({ path, is: 'equal' as const, value })), ...start],
      settled: [...equal.map(({ path }) => ({ path, lower: true, upper: true })), ...settled],
      order,
    }));
  };
  return keys.flatMap((_, index) => through(keys.length - 1 - index));
};

/** What comes behind the first key's value. Nulls come first, and so last in a descending order. */
const behind = (order: readonly Key[], where: Where): readonly IndexRange[] => {
  const [key, ...rest] = order;
  if (!key) return [];
  const { path, value } = key;
  if (key.direction === 'ascending') {
    const start: Condition = value === null ? { path, is: 'there' } : { path, is: 'above', value };
    return [{ start: [start], settled: [{ path, lower: true, upper: false }], order }];
  }
  if (value === null) return [];
  const lower: IndexRange = {
    start: [{ path, is: 'below', value }],
    settled: [{ path, lower: false, upper: true }],
    order,
  };
  const nulls: IndexRange = { start: [{ path, is: 'equal', value: null }], settled: [], order: rest };
  return rest.length > 0 && !isBounded(where[path]) ? [lower, nulls] : [lower];
};

/** Whether a condition is a range, and no value to equal. */
export const isRange = (condition: Scalar | Range | undefined): condition is Range =>
  typeof condition === 'object' && condition !== null;

const isBounded = (condition: Scalar | Range | undefined): boolean =>
  isRange(condition) && (condition.from !== undefined || condition.before !== undefined);

/** The page that `found` starts with; `next` is where to continue when there is more than the page holds. */
export const pageOf = <D>(found: readonly D[], { sort, limit }: Query): ResultPage<D> => {
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next: last === undefined ? null : sort.map(({ path }) => valueAt(last, path)) };
};
