import type { Event, Metadata, Position, Recorded } from '../../kernel/event.ts';
import type { Follow, Page } from './port.ts';

/** The last event of a stream as its writer has read it: what the next append must find. */
export type Head = Readonly<{ revision: number; position: Position; hash: string }>;

/** An event about to be appended; the log adds `schema` and `prev`. */
export type NewEvent<E extends Event = Event> = E &
  Readonly<{ id: string; metadata: Omit<Metadata, 'schema' | 'prev'> }>;

/** Whose key seals an event's private part; null for one that has none. */
export type SubjectOf<E extends Event> = (event: E) => string | null;

/**
 * `unknown`: events of types, or of versions of their data, that this release does not support, as they are
 * stored. They are in the stream and have their revisions and positions; nothing is folded of them
 * (docs/decisions/0028-unknown-events-are-parked.md).
 */
type Known = Readonly<{ events: readonly Recorded[]; unknown: readonly Recorded[] }>;

/** A page of the log; see `Page`. */
export type LogPage = Omit<Page, 'events'> & Known;

/** A whole stream; `head` is null where there is none. */
export type LoadedStream = Known & Readonly<{ head: Head | null }>;

/**
 * The log for the rest of the service: events in this release's versions, private parts open, each chained to
 * the one before it.
 *
 * `load` gives a whole stream and its head; a stream with an event that `redacts` reads as redacted, but for
 * that event. `append` expects that head; it throws `WrongExpectedRevision` when another writer came first,
 * and `InvalidEvent` for an event that breaks its schema. `truncate` gives up a stream's events before a
 * revision; its last one stays. `offset`: how far into the log a position lies, in rows or bytes.
 */
export interface EventLog {
  load(stream: string): Promise<LoadedStream>;
  append<E extends Event>(
    stream: string,
    head: Head | null,
    events: readonly NewEvent<E>[],
    subject: SubjectOf<E>,
  ): Promise<Head>;
  truncate(stream: string, before: number): Promise<void>;
  follow(after: Position | null, options: Follow): AsyncIterable<LogPage>;
  head(): Promise<Position | null>;
  offset(position: Position): number;
}
