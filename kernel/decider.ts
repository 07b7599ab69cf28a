import type { Event } from './event.ts';
import type { EventDefinition } from './eventDefinition.ts';

/**
 * An aggregate as pure functions. Its streams' names start with `category`; `events` defines their events.
 * `decide` throws a `DomainError` when a rule is broken and returns `[]` when a machine's command already
 * holds. `subject` names whose key seals the event's private part.
 */
export type Decider<S, C, E extends Event> = Readonly<{
  category: string;
  events: Readonly<Record<E['type'], EventDefinition>>;
  initial: S;
  evolve(state: S, event: E): S;
  decide(command: C, state: S): readonly E[];
  subject(event: E): string | null;
}>;

/** A broken rule, by name (`SubmissionNotInReview`). `facts` are what a caller may know of the state. */
export class DomainError extends Error {
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(name: string, message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = name;
    this.facts = facts;
  }
}
