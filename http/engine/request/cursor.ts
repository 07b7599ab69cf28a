import { hash } from 'node:crypto';
import { malformed } from '../problems/problem.ts';

type Scalar = string | number | boolean | null;

/** What a list is narrowed to, its scope and name among it: a cursor only goes on with the list that gave it. */
export type Filters = Readonly<Record<string, Scalar>>;

/** The opaque cursor of the page that goes on after these sort values. */
export const writeCursor = (after: readonly Scalar[], filters: Filters): string =>
  Buffer.from(JSON.stringify([seal(filters), ...after])).toString('base64url');

/**
 * The `width` sort values that a cursor holds; null for the first page. Throws 400 for one that is not ours, or comes from a list with
 * other filters.
 */
export const readCursor = (
  text: string | null,
  filters: Filters,
  width: number,
): readonly Scalar[] | null => {
  if (text === null) return null;
  const [sealed, ...after] = decode(text);
  if (sealed !== seal(filters) || after.length !== width || !after.every(isScalar)) throw refused();
  return after;
};

const seal = (filters: Filters): string => hash('sha256', JSON.stringify(filters), 'base64url').slice(0, 16);

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

const refused = () =>
  malformed([
    { pointer: '/query/cursor', detail: 'cursor is not one that this list gave with these filters' },
  ]);
