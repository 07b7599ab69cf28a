import { InvalidEvent } from '../../kernel/errors.ts';
import { type Event as AnyEvent, type Metadata, type Recorded, withoutPrivate } from '../../kernel/event.ts';
import type { Fault } from '../../kernel/fault.ts';
import { once } from '../../kernel/once.ts';
import type { OpenEvent, SealedLog } from './codec.ts';
import type { EventLog, NewEvent } from './log.ts';

type Event = Readonly<{ type: string; data: unknown; metadata: Omit<Metadata, 'prev'> }>;

/**
 * The event types of a release. `current` is the version in which a type's data are written, null for an
 * unknown type; `canRead`: whether a version can be read, `faults` where an event breaks its schema;
 * `redacts`: whether its stream reads as redacted; `upcast` gives the data of an older version as the current
 * one has them.
 */
export type EventCatalogue = Readonly<{
  current(type: string): number | null;
  canRead(type: string, schema: number): boolean;
  faults(event: Event): readonly Fault[];
  redacts(type: string): boolean;
  upcast(event: Event): unknown;
}>;

/**
 * `catalogue` is loaded at the first use of the log; `onUnknown` is called with the first event of each
 * unknown type or version.
 */
type Options = Readonly<{ catalogue(): Promise<EventCatalogue>; onUnknown(event: Recorded): void }>;

/**
 * The one edge between the log and a release: what is written keeps the schema of its type's current version,
 * and says so in `metadata.schema`; what is read is brought to that version, or set beside when it is of an
 * unknown type or a newer version.
 */
export const cataloguedLog = (log: SealedLog, { catalogue, onUnknown }: Options): EventLog => {
  // `import` takes 10 µs of every call, also for what has been loaded.
  const release = once(catalogue);
  const reported = new Set<string>();
  const report = (event: Recorded): void => {
    const name = `${event.type}.v${event.metadata.schema}`;
    if (reported.has(name)) return;
    reported.add(name);
    onUnknown(event);
  };
  const read = async (stored: readonly Recorded[]) => {
    const sorted = sort(await release(), stored);
    sorted.unknown.forEach(report);
    return sorted;
  };
  return {
    ...log,
    load: async (stream) => {
      const { events, head } = await log.load(stream);
      return { ...(await read(withRedactions(await release(), events))), head };
    },
    append: async (stream, head, events, subject) => {
      const version = versioned(await release(), stream);
      return log.append(
        stream,
        head,
        events.map((event) => version(event)),
        subject,
      );
    },
    async *follow(after, options) {
      for await (const page of log.follow(after, options)) yield { ...page, ...(await read(page.events)) };
    },
  };
};

const sort = (catalogue: EventCatalogue, stored: readonly Recorded[]) => {
  const { current, canRead } = catalogue;
  // Nearly always, and a rebuild reads every event there is.
  if (stored.every(({ type, metadata }) => current(type) === metadata.schema))
    return { events: stored, unknown: [] };
  const isKnown = ({ type, metadata }: Recorded): boolean => canRead(type, metadata.schema);
  return {
    events: stored.filter(isKnown).map(upToDate(catalogue)),
    unknown: stored.filter((event) => !isKnown(event)),
  };
};

/** A stream as it reads once one of its events `redacts`; any other as it is. */
export const withRedactions = (
  { redacts }: Pick<EventCatalogue, 'redacts'>,
  stored: readonly Recorded[],
): readonly Recorded[] =>
  stored.some(({ type }) => redacts(type))
    ? stored.map((event) => (redacts(event.type) ? event : withoutPrivate(event)))
    : stored;

const upToDate =
  ({ current, upcast }: EventCatalogue) =>
  (event: Recorded): Recorded => {
    const schema = current(event.type);
    if (schema === null || schema === event.metadata.schema) return event;
    return { ...event, data: upcast(event) as Recorded['data'], metadata: { ...event.metadata, schema } };
  };

const versioned =
  (catalogue: EventCatalogue, stream: string) =>
  <E extends AnyEvent>(event: NewEvent<E>): OpenEvent<E> => {
    const schema = catalogue.current(event.type) ?? 0;
    const next = { ...event, metadata: { schema, ...event.metadata } };
    const faults = catalogue.faults(next);
    if (faults.length > 0) throw new InvalidEvent(event.type, stream, faults);
    return next;
  };
