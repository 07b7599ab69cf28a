import { hash } from 'node:crypto';
import { malformed } from '../problems/problem.ts';

type Scalar = string | number | boolean | null;

/** The filters of a list, with its name and scope: a cursor is valid only for those that gave it. */
type Filters = Readonly<Record<string, Scalar>>;

/** A list's envelope (paging-1). */
type Envelope<T> = Readonly<{
  data: readonly T[];
  pagination: Readonly<{ hasMore: boolean; nextCursor: string | null }>;
}>;

/** Reads a page of a list: `next` has the sort values after which the next page starts, null at the end. */
export type ReadPage<T> = (
  limit: number,
  after: readonly Scalar[] | null,
) => Promise<Readonly<{ items: readonly T[]; next: readonly Scalar[] | null }>>;

/** A page of a list that is sorted by two values. Throws 400 for a cursor of another list. */
export const pageOf = async <T, U>(
  { cursor, limit }: Readonly<{ cursor: string | null; limit: number }>,
  filters: Filters,
  read: ReadPage<T>,
  present: (item: T) => U,
): Promise<Envelope<U>> => {
  const { items, next } = await read(limit, readCursor(cursor, filters, 2));
  return envelope(items.map(present), next, filters);
};

/** A page of a list that is sorted by one text. Throws 400 for a cursor of another list. */
export const keyedPageOf = async <T, U>(
  { cursor, limit }: Readonly<{ cursor: string | null; limit: number }>,
  filters: Filters,
  read: (
    limit: number,
    after: string | null,
  ) => Promise<Readonly<{ items: readonly T[]; next: string | null }>>,
  present: (item: T) => U,
): Promise<Envelope<U>> => {
  const [after = null] = readCursor(cursor, filters, 1) ?? [];
  const { items, next } = await read(limit, after === null ? null : String(after));
  return envelope(items.map(present), next === null ? null : [next], filters);
};

/** As `pageOf`, of rows that were made before, each in JSON: the list in bytes. */
export const pageOfRows = async (
  { cursor, limit }: Readonly<{ cursor: string | null; limit: number }>,
  filters: Filters,
  read: ReadPage<string>,
): Promise<Buffer> => {
  const { items, next } = await read(limit, readCursor(cursor, filters, 2));
  const { pagination } = envelope([], next, filters);
  return Buffer.from(`{"data":[${items.join()}],"pagination":${JSON.stringify(pagination)}}`);
};

/** One page of a list; `next` as in `ReadPage`. */
export const envelope = <T>(
  data: readonly T[],
  next: readonly Scalar[] | null,
  filters: Filters,
): Envelope<T> => ({
  data,
  pagination: { hasMore: next !== null, nextCursor: next && writeCursor(next, filters) },
});

/** A list in one page: `hasMore` is always false. */
export const wholeList = <T>(data: readonly T[]): Envelope<T> => envelope(data, null, {});

/** The opaque cursor of the page that starts after these sort values. */
export const writeCursor = (after: readonly Scalar[], filters: Filters): string =>
  Buffer.from(JSON.stringify([filterHash(filters), ...after])).toString('base64url');

/** The `width` sort values of a cursor; null for the first page. Throws 400 for one of other filters. */
export const readCursor = (
  text: string | null,
  filters: Filters,
  width: number,
): readonly Scalar[] | null => {
  if (text === null) return null;
  const [hashOfFilters, ...after] = decode(text);
  if (hashOfFilters !== filterHash(filters) || after.length !== width || !after.every(isScalar))
    throw invalidCursor();
  return after;
};

const filterHash = (filters: Filters): string =>
  hash('sha256', JSON.stringify(filters), 'base64url').slice(0, 16);

const decode = (text: string): readonly unknown[] => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
};

const isScalar = (value: unknown): value is Scalar => value === null || typeof value !== 'object';

const invalidCursor = () =>
  malformed([
    { pointer: '/query/cursor', detail: 'cursor is not one that this list gave with these filters' },
  ]);

/** The filters of a query without absent ones, which are null. */
export const givenFilters = <T extends object>(query: T): { readonly [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null)) as {
    readonly [K in keyof T]?: NonNullable<T[K]>;
  };
