import type { Event } from './event.ts';
import { pick } from './pick.ts';
import type { Of, TSchema } from './schema.ts';

/**
 * An event type, defined once: what happened, and the schema of its data as they are written now. `earlier`
 * has every version before it, that of version 1 first. The schema asks for types and members only: lengths
 * and patterns are checked where data enter the service, and an event that is refused is a fault of the
 * of the service. `redacts`: with it in a stream all other events there read as redacted, whether or not
 * their key has been destroyed yet.
 */
export type EventDefinition<S extends TSchema = TSchema> = Readonly<{
  about: string;
  data: S;
  redacts?: true;
  earlier?: readonly EarlierVersion[];
}>;

/** A version that is no longer written: its schema, and the step to the version after it. */
type EarlierVersion = Readonly<{ data: TSchema }> & Upcaster;

/** The event types of an aggregate, or of one of its concerns, by their names. */
export type EventDefinitions = Readonly<Record<string, EventDefinition>>;

/** The events of these definitions. */
export type EventsOf<D extends EventDefinitions> = {
  [T in keyof D & string]: Event<T, Of<D[T]['data']>>;
}[keyof D & string];

type Data = Readonly<Record<string, unknown>>;

/**
 * One step from a version of an event's data to the next. `open` makes the members outside the private part;
 * `sealed` makes the private part, from what it was (`{}` where there was none) and the other members as they
 * were before this step. A redacted part stays as it is. A function that is absent changes nothing.
 */
export type Upcaster = Readonly<{ open?(data: Data): Data; sealed?(part: Data, data: Data): Data }>;

/**
 * Data after these steps. The private part is opened when it is first read: one that does not open must stop
 * its own reader alone.
 */
export const upcast = (data: Data, steps: readonly Upcaster[]): Data => steps.reduce(next, data);

const next = (data: Data, { open = unchanged, sealed }: Upcaster): Data => {
  const beside = pick(data, ...Object.keys(data).filter((name) => name !== 'private'));
  const opened = open(beside);
  if (!sealed && !Object.hasOwn(data, 'private')) return opened;
  let made: unknown;
  const get = (): unknown => {
    made ??= partAfter(data.private, beside, sealed);
    return made;
  };
  return Object.defineProperty({ ...opened }, 'private', { enumerable: true, get });
};

const partAfter = (part: unknown, beside: Data, sealed: Upcaster['sealed']): unknown => {
  const before = (part ?? {}) as Data;
  return sealed && !('redacted' in before) ? sealed(before, beside) : before;
};

const unchanged = (data: Data): Data => data;
