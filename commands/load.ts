import type { Decider } from '../kernel/decider.ts';
import type { Event } from '../kernel/event.ts';
import type { EventLog } from '../stores/events/log.ts';

/** The state of a stream as it is now, or as it was right after `revision`. For looking only: decisions go through `handle`. */
export const load = async <S, C, E extends Event>(
  log: EventLog,
  decider: Decider<S, C, E>,
  stream: string,
  revision = Number.POSITIVE_INFINITY,
): Promise<S> => {
  const { events } = await log.load(stream);
  const past = events.filter((event) => event.revision <= revision);
  return (past as readonly Event[] as readonly E[]).reduce(decider.evolve, decider.initial);
};
