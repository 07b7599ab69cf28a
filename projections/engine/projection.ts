import type { Cause, Event, Recorded } from '../../kernel/event.ts';
import type { Index, Sort, Words } from '../../stores/documents/port.ts';

/**
 * A document after one more event; null for none. The type is that of a method, whose parameters TypeScript
 * compares loosely: so a fold of certain events is also one of any events.
 */
export type Fold<D, E extends Event> = {
  fold(document: D | null, event: Recorded<E>, key: string): D | null;
}['fold'];

/** A fold for each event type. */
export type Folds<D, E extends Event> = Readonly<{ [One in E as One['type']]: Fold<D, One> }>;

/**
 * A read model as a pure fold, without a clock or other events, so that a rebuild gives the same documents.
 * It handles the event types of `on`; `keys` names the documents that an event touches.
 */
export type Projection<D = unknown, E extends Event = Event> = Readonly<{
  name: string;
  version: number;
  /** The streams it reads, by the beginning of their names. */
  prefixes: readonly string[];
  indexes: readonly Index[];
  keys(event: Recorded<E>): readonly string[];
  on: Folds<D, E>;
  /** What HTTP sends of a document, made when it is written. */
  answers?: AnswersOf<D>;
  /** What its documents are found by. */
  words?: WordsOf<D>;
}>;

/** Loosely typed in its document, as `Fold` is. */
type AnswersOf<D> = Readonly<Record<string, { make(document: D): string }['make']>>;
type WordsOf<D> = Omit<Words, 'text'> & Readonly<{ text: { make(document: D): string }['make'] }>;

/** A projection that handles some of these events only. */
export type SelectiveProjection<D, E extends Event> = Omit<Projection<D, E>, 'on'> &
  Readonly<{ on: Partial<Folds<D, E>> }>;

/** The event types that a projection handles. */
export const handledBy = ({ on }: Pick<Projection, 'on'>): readonly string[] => Object.keys(on);

/** A document, or a part of one, after one more event; unchanged where there is no fold for its type. */
export const foldEvent = <D>(
  on: Readonly<Record<string, Fold<D, Event>>>,
  document: NoInfer<D> | null,
  event: Recorded,
  key: string,
): D | null => {
  const fold = on[event.type];
  return fold ? fold(document, event, key) : document;
};

/** The same fold for each of these event types. */
export const foldAlike = <T extends string, F>(types: readonly T[], fold: F): Readonly<Record<T, F>> =>
  Object.fromEntries(types.map((type) => [type, fold])) as Record<T, F>;

/** The fold of an event that ends a document. */
export const remove = (): null => null;

/** Newest first by a member that holds a time; documents of one time by their `id`. */
export const newestBy = (time: string): Sort => [
  { path: time, direction: 'descending' },
  { path: 'id', direction: 'descending' },
];

/** Earliest first, likewise. */
export const earliestBy = (time: string): Sort => [
  { path: time, direction: 'ascending' },
  { path: 'id', direction: 'ascending' },
];

/** An index for queries with certain values at `paths` and the order `sort`. */
export const indexOn = (name: string, paths: readonly string[], sort: Sort): Index => ({
  name,
  sort: [...paths.map((path) => ({ path, direction: 'ascending' as const })), ...sort],
});

/** An item of a queue. Claims go round the lanes (`Claim` in the document store's port). */
export type DueItem = Readonly<{ id: string; lane: string; dueAt: string; cause: Cause }>;

/** A queue's work, earliest first: to be counted and looked at, where claims go by lane. */
export const earliestDue = indexOn('earliestDue', [], earliestBy('dueAt'));
