import type { Decider } from '../kernel/decider.ts';
import type { Event, Recorded } from '../kernel/event.ts';
import type { EventLog, LoadedStream } from '../stores/events/log.ts';

/**
 * A stream that its name makes new, unless its request is repeated: then the append fails, and it is loaded.
 */
export const NEW_STREAM: LoadedStream = { events: [], unknown: [], head: null };

/**
 * The present state of a stream, or that right after `revision`. Only for reading: decisions go through
 * `handle`.
 */
export const load = async <S, C, E extends Event>(
  log: EventLog,
  decider: Decider<S, C, E>,
  stream: string,
  revision?: number,
): Promise<S> => fold(decider, (await log.load(stream)).events, revision);

/** The present state of a stream, and the stream, with which `handle` needs no second load. */
export const loadStream = async <S, C, E extends Event>(
  log: EventLog,
  decider: Decider<S, C, E>,
  stream: string,
): Promise<Readonly<{ state: S; stream: LoadedStream }>> => {
  const loaded = await log.load(stream);
  return { state: fold(decider, loaded.events), stream: loaded };
};

/** The state of a decider after these events, those up to `revision` only. */
export const fold = <S, C, E extends Event>(
  { evolve, initial }: Decider<S, C, E>,
  events: readonly Recorded[],
  revision = Number.POSITIVE_INFINITY,
): S => {
  const counted: readonly Event[] = events.filter((event) => event.revision <= revision);
  // A stream of a category holds the events of its decider only.
  return (counted as readonly E[]).reduce(evolve, initial);
};
