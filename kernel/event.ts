import type { StoredMetadata } from './metadata.ts';
import { pick } from './pick.ts';
import type { Of } from './schema.ts';
import { type Traced, traceIn } from './trace.ts';

/** A fact in the past tense and its data. `data.private`, where present, is sealed when stored. */
export type Event<T extends string = string, D = unknown> = Readonly<{ type: T; data: Readonly<D> }>;

/** Those of the events `E` that are of the types `T`. */
export type EventOf<E extends Event, T extends E['type']> = Extract<E, { type: T }>;

/** Those of the events `E` whose data may have this member. */
export type EventWith<E extends Event, Member extends string> = E extends Event
  ? Member extends keyof E['data']
    ? E
    : never
  : never;

/** What is stored beside an event's data. */
export type Metadata = Of<typeof StoredMetadata>;

/** Who caused an event. */
export type Actor = Metadata['actor'];

/** What caused something, as the metadata of its events have it. */
export type Cause = Readonly<{ correlationId: string; causationId: string; requestId?: string }> & Traced;

/** An actor in one text: `user:<userId>`, `key:<keyId>`. */
export const actorText = ({ kind, id }: Actor): string => `${kind}:${id}`;

/** A place in the log: opaque, of fixed width, ordered as text. */
export type Position = string & { readonly __position: never };

/** An event as the log returns it, with its place in its stream (`revision`, from 0) and in the log. */
export type Recorded<E extends Event = Event> = E &
  Readonly<{ id: string; stream: string; revision: number; position: Position; metadata: Metadata }>;

/** The cause of an event's consequences: the event itself, in the same correlation and trace. */
export const causedBy = ({ id, metadata }: Recorded): Cause => ({
  correlationId: metadata.$correlationId,
  causationId: id,
  ...(metadata.requestId === undefined ? {} : { requestId: metadata.requestId }),
  ...traceIn(metadata),
});

/** What a member of a private part reads as once its key has been destroyed. */
export const REDACTED = '[redacted]';

/** What a private part reads as then: the names of its members are sealed too. */
export const REDACTED_PART = { redacted: true } as const;

/** An event as it reads once its key has been destroyed. Its private part is not opened for that. */
export const withoutPrivate = <E extends Event>(event: E): E => {
  const data = event.data as Readonly<Record<string, unknown>>;
  if (!Object.hasOwn(data, 'private')) return event;
  const open = pick(data, ...Object.keys(data).filter((name) => name !== 'private'));
  return { ...event, data: { ...open, private: REDACTED_PART } };
};

/** A member of a private part, or `REDACTED` once its key is deleted. */
export const reveal = <Part extends object, K extends keyof Open<Part>>(
  part: Part,
  name: K,
): Open<Part>[K] | typeof REDACTED => ('redacted' in part ? REDACTED : (part as Open<Part>)[name]);

/** An object of a private part as answers have it: null once it reads as `REDACTED`. */
export const unlessRedacted = <T extends object>(value: T | string | null): T | null =>
  typeof value === 'string' ? null : value;

/** A private part that was not redacted. */
export type Open<Part> = Exclude<Part, Readonly<{ redacted: true }>>;

/**
 * An event's name in the API: `SubmissionProcessingStarted` is `submission.processing_started` (history-3).
 */
export const publicName = (type: string): string => {
  const [first = '', ...rest] = type.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  return `${first}.${rest.join('_')}`;
};
