import type { Cause, Event, Recorded } from '../../kernel/event.ts';
import type { Index, Sort } from '../../stores/documents/port.ts';

/**
 * A read model as a pure fold. `keys` names the documents that an event touches; `evolve` gives a document after one more event
 * (null: there is none). It needs no other event and no clock, so that a rebuild gives the same documents. Without type parameters: any projection, to be
 * given only events that it handles and documents that it made.
 */
export type Projection<D = unknown, E extends Event = Event> = Readonly<{
  name: string;
  version: number;
  /** The streams it reads, by the beginning of their names. */
  prefixes: readonly string[];
  handles: readonly E['type'][];
  indexes: readonly Index[];
  keys(event: Recorded<E>): readonly string[];
  evolve(document: D | null, event: Recorded<E>, key: string): D | null;
}>;

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

/** An index for queries that ask for certain values at `paths` and list what they find in the order `sort`. */
export const indexOn = (name: string, paths: readonly string[], sort: Sort): Index => ({
  name,
  sort: [...paths.map((path) => ({ path, direction: 'ascending' as const })), ...sort],
});

/** A piece of due work in a queue: its turn is that of its lane (see `Claim` in the document store's port). */
export type DueItem = Readonly<{ id: string; lane: string; dueAt: string; cause: Cause }>;

/** A queue's work, earliest first: to be counted and looked at, where claims go by lane. */
export const earliestDue = indexOn('earliestDue', [], earliestBy('dueAt'));
