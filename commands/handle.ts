import type { Actor, Cause, Decider, Event, Position } from '../domain/kernel.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import { StoreUnavailable, WrongExpectedRevision } from '../stores/errors.ts';
import type { EventLog, NewEvent } from '../stores/events/log.ts';

/** Who asks, and on account of what: goes into the metadata of every event that comes of it. */
export type Context = Cause & Readonly<{ actor: Actor }>;

/** The context of what the service does by itself, on nobody's account: a cause of its own. */
export const unasked = (id: string, ids: Ids): Context => {
  const correlationId = ids.event();
  return { actor: { kind: 'system', id }, correlationId, causationId: correlationId };
};

/** The state after a command. `events` is empty when it already held; `position` and `revision` are the stream's last,
 * `at` is the time of the decision (ISO 8601). */
export type Handled<S, E extends Event> = Readonly<{
  state: S;
  events: readonly E[];
  position: Position;
  revision: number;
  at: string;
}>;

/** Runs a command against one stream; see `createHandle`. `guard` sees the stream's revision (-1: none) before each decision. */
export type Handle = <S, C, E extends Event>(
  decider: Decider<S, C, E>,
  stream: string,
  command: C,
  context: Context,
  guard?: (revision: number) => void,
) => Promise<Handled<S, E>>;

const MAX_CONFLICTS = 100;

/**
 * The one way to change anything: load the stream, fold, decide, append at the revision that was read; when another writer
 * came first, again from the start. Throws the decider's DomainErrors, and `StoreUnavailable`.
 */
export const createHandle = (log: EventLog, clock: Clock, ids: Ids): Handle => {
  return async <S, C, E extends Event>(
    decider: Decider<S, C, E>,
    stream: string,
    command: C,
    context: Context,
    guard?: (revision: number) => void,
  ): Promise<Handled<S, E>> => {
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts += 1) {
      const { events: past, head } = await log.load(stream);
      guard?.(head?.revision ?? -1);
      // A stream of a category holds the events of its decider only.
      const before = (past as readonly Event[] as readonly E[]).reduce(decider.evolve, decider.initial);
      const at = clock.now().toISOString();
      const events = decider.decide(command, before);
      const state = events.reduce(decider.evolve, before);
      const last = events.at(-1);
      if (!last) {
        if (!head) throw new Error(`a command left the stream ${stream} empty`);
        return { state, events, position: head.position, revision: head.revision, at };
      }
      try {
        const added = events.map((event) => newEvent(event, context, at, ids.event()));
        const { position, revision } = await log.append(stream, head, added, decider.subject(last));
        return { state, events, position, revision, at };
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
      }
    }
    throw new StoreUnavailable(
      `the stream ${stream} changed ${MAX_CONFLICTS} times while a command was decided`,
    );
  };
};

const newEvent = (event: Event, context: Context, at: string, id: string): NewEvent => ({
  ...event,
  id,
  metadata: {
    schema: 1,
    at,
    $correlationId: context.correlationId,
    $causationId: context.causationId,
    actor: context.actor,
    ...(context.requestId === undefined ? {} : { requestId: context.requestId }),
  },
});
