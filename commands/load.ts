import type { Decider } from '../kernel/decider.ts';
import type { Event } from '../kernel/event.ts';
import type { EventLog, LoadedStream } from '../stores/events/log.ts';

/**
 * The state of a stream as it is now, or as it was right after `revision`. For looking only: decisions go
 * through `handle`.
 */
export const load = async <S, C, E extends Event>(
  log: EventLog,
  decider: Decider<S, C, E>,
  stream: string,
  revision = Number.POSITIVE_INFINITY,
): Promise<S> => {
  const { events } = await log.load(stream);
  return fold(
    decider,
    events.filter((event) => event.revision <= revision),
  );
};

/** A stream's state as it is now, and the stream, from which `handle` can decide without loading it again. */
export const loadStream = async <S, C, E extends Event>(
  log: EventLog,
  decider: Decider<S, C, E>,
  stream: string,
): Promise<Readonly<{ state: S; stream: LoadedStream }>> => {
  const loaded = await log.load(stream);
  return { state: fold(decider, loaded.events), stream: loaded };
};

const fold = <S, C, E extends Event>({ evolve, initial }: Decider<S, C, E>, events: readonly Event[]): S =>
  // A stream of a category holds the events of its decider only.
  (events as readonly E[]).reduce(evolve, initial);
