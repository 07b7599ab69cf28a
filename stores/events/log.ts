import type { Event, Metadata, Position, Recorded } from '../../domain/kernel.ts';
import type { Follow, Page } from './port.ts';

/** The last event of a stream as its writer has read it: what the next append must find. */
export type Head = Readonly<{ revision: number; position: Position; hash: string }>;

/** An event about to be appended; the log adds `prev`. */
export type NewEvent<E extends Event = Event> = E &
  Readonly<{ id: string; metadata: Omit<Metadata, 'prev'> }>;

/**
 * The log as the rest of the service sees it: private parts open, each event chained to the one before it.
 *
 * `load` gives a whole stream and its head (null for a stream that is not there). `append` expects that head; it throws
 * `WrongExpectedRevision` when another writer came first. `subject` names whose key seals `data.private`.
 * `truncate` gives up a stream's events before a revision; its last one stays. `offset`: how far into the log a position lies, in rows or bytes.
 */
export interface EventLog {
  load(stream: string): Promise<{ events: readonly Recorded[]; head: Head | null }>;
  append(
    stream: string,
    head: Head | null,
    events: readonly NewEvent[],
    subject: string | null,
  ): Promise<Head>;
  truncate(stream: string, before: number): Promise<void>;
  follow(after: Position | null, options: Follow): AsyncIterable<Page<Recorded>>;
  head(): Promise<Position | null>;
  offset(position: Position): number;
}
