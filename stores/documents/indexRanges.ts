import { readerOf } from './memberPaths.ts';
import type { Query, Range, ResultPage, Scalar, Sort, Where } from './port.ts';

/** A condition on the value at a path. Null is lowest: above it is every other value. */
export type Condition = Readonly<{ path: string; is: 'equal' | 'above' | 'below'; value: Scalar }>;

/** A part of an index: where it starts, and the order of what is in it. */
type IndexRange = Readonly<{ start: readonly Condition[]; order: Sort }>;

type Key = Sort[number] & Readonly<{ value: Scalar }>;

/**
 * The ranges of an index that hold, one after the other, all that comes after `query.after`. First comes what
 * equals it in all sort values but the last, then what equals it in all but two, and so on. (A single query
 * with ORs would sort all anew, start at the first page, or lose nulls.) Paths that `where` fixes to one
 * value are not in their orders.
 */
export const indexRanges = ({ where, sort, after }: Query): readonly IndexRange[] => {
  if (after && after.length !== sort.length)
    throw new Error(`a page continues after ${sort.length} sort values, not ${after.length}`);
  const keys = sort
    .map((key, index) => ({ ...key, value: after?.[index] ?? null }))
    .filter(({ path }) => where[path] === undefined || isRange(where[path]));
  if (!after) return [{ start: [], order: keys }];
  return keys.toReversed().flatMap((_, behind) => {
    const count = keys.length - 1 - behind;
    const equal = keys.slice(0, count).map(({ path, value }) => ({ path, is: 'equal' as const, value }));
    return rangesBehind(keys.slice(count), where).map(({ start, order }) => ({
      start: [...equal, ...start],
      order,
    }));
  });
};

/** What comes after the first key's value. Nulls come first, and so last in a descending order. */
const rangesBehind = (order: readonly Key[], where: Where): readonly IndexRange[] => {
  const [key, ...rest] = order;
  if (!key) return [];
  const { path, value } = key;
  if (key.direction === 'ascending') return [{ start: [{ path, is: 'above', value }], order }];
  if (value === null) return [];
  const lower: IndexRange = { start: [{ path, is: 'below', value }], order };
  const nulls: IndexRange = { start: [{ path, is: 'equal', value: null }], order: rest };
  return rest.length > 0 && !isBounded(where[path]) ? [lower, nulls] : [lower];
};

/** Whether a condition is a range, not a value to equal. */
export const isRange = (condition: Scalar | Range | undefined): condition is Range =>
  typeof condition === 'object' && condition !== null;

const isBounded = (condition: Scalar | Range | undefined): boolean =>
  isRange(condition) && (condition.from !== undefined || condition.before !== undefined);

/**
 * The page that `found` starts with; `next` is where to continue when there is more than the page holds.
 * `read`: gives the members of an item.
 */
export const pageOf = <D>(
  found: readonly D[],
  { sort, limit }: Query,
  read: (item: D) => unknown = (item) => item,
): ResultPage<D> => {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  if (last === undefined || found.length <= limit) return { items, next: null };
  const members = read(last);
  return { items, next: sort.map(({ path }) => readerOf(path)(members)) };
};
