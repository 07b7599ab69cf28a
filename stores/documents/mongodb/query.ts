import { type Condition, indexRanges, isRange } from '../indexRanges.ts';
import { membersOf } from '../memberPaths.ts';
import type { Query, Range, Sort, Where, Words } from '../port.ts';
import type { Document } from './client.ts';

/** A query for the server: a filter, and an order that an index can have. */
type Search = Readonly<{ filter: Document; sort: Document }>;

/** The searches that give, one after the other, all that comes after `query.after`. */
export const searches = (query: Query): readonly Search[] =>
  indexRanges(query).map(({ start, order }) => ({
    filter: withWords(filterOf(query.where, start), query.words ?? []),
    sort: orderOf(order),
  }));

// Words are letters and digits: nothing else has a meaning here. An index serves what begins with a text.
const withWords = (filter: Document, words: NonNullable<Query['words']>): Document =>
  words.length === 0
    ? filter
    : {
        $and: [
          filter,
          ...words.map((any) => ({ words: { $in: any.map((word) => new RegExp(`^${word}`)) } })),
        ],
      };

/** The keys of the index by words, in which the order comes last. */
export const keysOfWords = ({ within, newest }: Words): Document => ({
  live: 1,
  ...orderOf(within.map((path) => ({ path, direction: 'ascending' }))),
  words: 1,
  ...orderOf(newest),
});

/** The paths that come before the words in those keys. */
export const groupIn = (keys: Document): readonly string[] => {
  const names = Object.keys(keys);
  return names.slice(1, names.indexOf('words')).map((name) => name.slice('values.'.length));
};

/** The filter of documents that fulfil `where`, and `start` too. */
export const filterOf = (where: Where, start: readonly Condition[] = []): Document => {
  const all = [
    ...start.map(condition),
    ...Object.entries(where).flatMap(([path, value]) =>
      isRange(value) ? range(path, value) : [condition({ path, is: 'equal', value })],
    ),
  ];
  return all.length === 0 ? { live: true } : { live: true, $and: all };
};

/** The keys of an index: every search starts with `live`, so that no deletion marker is read. */
export const keysOf = (sort: Sort): Document => ({ live: 1, ...orderOf(sort) });

// A range takes in only values of its bounds' type: MongoDB compares no others with them.
const range = (path: string, { from, before }: Range): readonly Document[] => [
  ...(from === undefined ? [] : [{ [field(path)]: { $gte: from } }]),
  ...(before === undefined ? [] : [{ [field(path)]: { $lt: before } }]),
];

const condition = ({ path, is, value }: Condition): Document => {
  if (is === 'equal') return { [field(path)]: value };
  if (value === null) return { [field(path)]: { $ne: null } };
  return { [field(path)]: { [is === 'above' ? '$gt' : '$lt']: value } };
};

const orderOf = (order: Sort): Document =>
  Object.fromEntries(order.map(({ path, direction }) => [field(path), direction === 'ascending' ? 1 : -1]));

const field = (path: string): string => `values.${membersOf(path).join('.')}`;
