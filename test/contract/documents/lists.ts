import * as fc from 'fast-check';
import type { Scalar, Sort, Where } from '../../../stores/documents/port.ts';

// Random documents, orders and conditions, and what a plain list makes of them.

/** A document to sort and to find. */
export type Item = Readonly<{
  id: string;
  text?: string | null;
  number?: number | null;
  at?: { deep?: string | null };
}>;

const text = fc.constantFrom('', 'A', 'a', 'ab', 'ž', '\uffee', '🦉', '5');
const numbers = fc.constantFrom(-3, 0, 0.5, 5, 1e15);
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null, freq: 3 });
const plain = { requiredKeys: [] as [], noNullPrototype: true };
const shape = fc.record(
  { text: maybe(text), number: maybe(numbers), at: fc.record({ deep: maybe(text) }, plain) },
  plain,
);
export const items: fc.Arbitrary<Item[]> = fc
  .array(shape, { maxLength: 25, size: 'max' })
  .map((shapes) => shapes.map((item, n) => ({ ...item, id: `id${n}` })));

const direction = fc.constantFrom('ascending' as const, 'descending' as const);
export const order: fc.Arbitrary<Sort> = fc
  .tuple(
    fc.shuffledSubarray(['text', 'number', 'at.deep']),
    fc.array(direction, { minLength: 4, maxLength: 4 }),
  )
  .map(([paths, directions]) =>
    [...paths, 'id'].map((path, n) => ({ path, direction: directions[n] ?? 'ascending' })),
  );

const range = <T extends string | number>(values: fc.Arbitrary<T>) =>
  fc.record({ from: values, before: values }, { requiredKeys: [] });
const some: fc.Arbitrary<Where> = fc.record(
  {
    text: fc.oneof(maybe(text), range(text)),
    number: fc.oneof(maybe(numbers), range(numbers)),
    'at.deep': fc.oneof(maybe(text), range(text)),
  },
  { requiredKeys: [] },
);

// Half of all without conditions: these leave few items, and so few pages.
export const conditions = fc.oneof(fc.constantFrom<Where>({}, { text: {} }), some);

/** What an index that serves these conditions begins with. */
export const equalities = (where: Where): Sort =>
  Object.entries(where)
    .filter(([, condition]) => condition === null || typeof condition !== 'object')
    .map(([path]) => ({ path, direction: 'ascending' }));

const at = (item: Item, path: string): Scalar =>
  (path === 'at.deep' ? item.at?.deep : { text: item.text, number: item.number, id: item.id }[path]) ?? null;

const compare = (a: Scalar, b: Scalar): number => {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
};

/** Which of two documents comes first. */
export const compareBy = (sort: Sort, a: Item, b: Item): number =>
  sort
    .map(({ path, direction }) => compare(at(a, path), at(b, path)) * (direction === 'ascending' ? 1 : -1))
    .find((difference) => difference !== 0) ?? 0;

/** Whether a document meets all conditions. */
export const matches = (item: Item, where: Where): boolean =>
  Object.entries(where).every(([path, condition]) => {
    const value = at(item, path);
    if (condition === null || typeof condition !== 'object') return value === condition;
    const { from = null, before = null } = condition;
    if (from === null && before === null) return true;
    return (
      value !== null &&
      (from === null || compare(value, from) >= 0) &&
      (before === null || compare(value, before) < 0)
    );
  });
