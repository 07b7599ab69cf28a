import { type Filters, writeCursor } from './cursor.ts';

type Scalar = string | number | boolean | null;

/** A list's envelope (paging-1). */
type Envelope<T> = Readonly<{
  data: readonly T[];
  pagination: Readonly<{ hasMore: boolean; nextCursor: string | null }>;
}>;

/** One page of a list. `next`: the sort values to go on after, null at the end. */
export const envelope = <T>(
  data: readonly T[],
  next: readonly Scalar[] | null,
  filters: Filters,
): Envelope<T> => ({
  data,
  pagination: { hasMore: next !== null, nextCursor: next && writeCursor(next, filters) },
});

/** A list that is given whole: `hasMore` is always false. */
export const wholeList = <T>(data: readonly T[]): Envelope<T> => envelope(data, null, {});
