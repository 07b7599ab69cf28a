import type { Metadata, Position } from '../../kernel/event.ts';

/** An event in the form it is stored in: private parts sealed, plain JSON all through. */
export type StoredEvent = Readonly<{
  id: string;
  type: string;
  data: Readonly<Record<string, unknown>>;
  metadata: Metadata;
}>;

/** A stored event with its numbers: `revision` in its stream from 0, `position` in the whole log. */
export type RecordedEvent = StoredEvent & Readonly<{ stream: string; revision: number; position: Position }>;

/** Events in log order. `upTo`: the last position read, also without a match; `live`: at the head. */
export type Page<R = RecordedEvent> = Readonly<{ events: readonly R[]; upTo: Position; live: boolean }>;

/**
 * What to follow: streams whose name starts with one of `prefixes`, at most `page` events at once. Of other
 * types than `types` a driver may leave events out.
 */
export type Follow = Readonly<{
  prefixes: readonly string[];
  types?: readonly string[];
  page: number;
  signal: AbortSignal;
}>;

/**
 * The log. Every driver passes test/contract/events.ts.
 *
 * `append` is atomic and durable when it resolves. `expected` is always enforced: `'none'` for a new stream,
 * else the revision of its last event; it throws `WrongExpectedRevision`. The same event ids appended again
 * at the same expected revision give the first answer and store nothing. `StoreUnavailable` says that the
 * outcome may be unknown: repeat with the same ids. `read` gives a stream's events from a revision on,
 * nothing for an unknown stream. `truncate` gives up a stream's events before a revision, for ever; its last
 * event always stays, and appending continues after it. `read` no longer gives the others; `follow` may,
 * until they are scavenged. `follow` starts after a position (null: from the origin), never ends by itself,
 * wakes within 50 ms of an append by any process, and ends without an error when the signal is aborted. It
 * may yield pages without events so that `upTo` moves. `offset` gives how far into the log a position is, as
 * a number that grows with it (rows or bytes): for graphs and shares. `inspect` checks all that is stored,
 * where no server watches over it: throws `StoreDamaged`. It may take minutes.
 */
export interface EventStore {
  append(
    stream: string,
    expected: 'none' | number,
    events: readonly StoredEvent[],
  ): Promise<{ revision: number; position: Position }>;
  read(stream: string, from?: number): AsyncIterable<RecordedEvent>;
  truncate(stream: string, before: number): Promise<void>;
  follow(after: Position | null, options: Follow): AsyncIterable<Page>;
  head(): Promise<Position | null>;
  offset(position: Position): number;
  inspect?(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
