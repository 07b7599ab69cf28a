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

/**
 * An aggregate as pure functions. `decide` throws a `DomainError` when a rule is broken and returns `[]` when a
 * machine's command already holds. `subject` names whose key seals the event's private part.
 */
export type Decider<S, C, E extends Event> = Readonly<{
  category: string;
  initial: S;
  evolve(state: S, event: E): S;
  decide(command: C, state: S): readonly E[];
  subject(event: E): string | null;
}>;

/** A broken rule, named after it (`SubmissionNotInReview`). `facts` are what a caller may be told of the state. */
export class DomainError extends Error {
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(name: string, message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = name;
    this.facts = facts;
  }
}

/** Marks the branch of a switch that no value can reach; a new union member makes it a compile error. */
export const never = (value: never): never => {
  // No more of it than its type: the rest may be private, and errors are logged.
  const { type } = Object(value) as Readonly<{ type?: unknown }>;
  throw new Error(`unreachable: ${typeof type === 'string' ? type : typeof value}`);
};

/** What a private part reads as once its key has been destroyed. */
export const REDACTED = '[redacted]';

/** Live data or test data: part of every scope; neither sees the other. */
export type Mode = 'live' | 'test';

/** What an administrator may be: of one company, or of the platform (contract, section 5). */
export type Role = 'org_admin' | 'super_admin';

/** What an administrator may do, and where: an org_admin has a company, a super_admin has none. */
export type Office = Readonly<{ role: Role; companyId: string | null }>;
