/** A fact: what happened (past tense) and what is known of it. `data.private`, where present, is sealed when stored. */
export type Event<T extends string = string, D = unknown> = Readonly<{ type: T; data: Readonly<D> }>;

/** Who caused an event. `id` is an identifier of ours, never a name or an address. */
export type Actor = Readonly<{ kind: 'key' | 'user' | 'operator' | 'system'; id: string }>;

/** What is stored beside an event's data. `prev` is the hash of the stream's previous stored event. */
export type Metadata = Readonly<{
  schema: number;
  at: string;
  $correlationId: string;
  $causationId: string;
  actor: Actor;
  requestId?: string;
  prev: string | null;
}>;

/** On account of what something is done: what the metadata of its events say (`$correlationId`, `$causationId`, `requestId`). */
export type Cause = Readonly<{ correlationId: string; causationId: string; requestId?: string }>;

/** A place in the log: opaque, of fixed width, ordered as text. */
export type Position = string & { readonly __position: never };

/** An event as the log returns it: numbered in its stream (`revision`, from 0) and in the log (`position`). */
export type Recorded<E extends Event = Event> = E &
  Readonly<{ id: string; stream: string; revision: number; position: Position; metadata: Metadata }>;

/** What an event's consequences say of it: it caused them, and what it belongs to they belong to. */
export const causedBy = ({ id, metadata }: Recorded): Cause => ({
  correlationId: metadata.$correlationId,
  causationId: id,
  ...(metadata.requestId === undefined ? {} : { requestId: metadata.requestId }),
});

/** What a private part reads as once its key has been destroyed. */
export const REDACTED = '[redacted]';
