import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';
import type { Decider } from '../kernel/decider.ts';
import { StoreUnavailable, WrongExpectedRevision } from '../kernel/errors.ts';
import type { Actor, Cause, Event, Metadata, Position, Recorded } from '../kernel/event.ts';
import type { Ids } from '../kernel/ids.ts';
import { jittered } from '../kernel/signals.ts';
import { traceIn } from '../kernel/trace.ts';
import type { EventLog, LoadedStream, NewEvent } from '../stores/events/log.ts';
import { fold } from './load.ts';

/** The actor and the cause of a command: metadata of every event that it appends. */
export type Context = Cause &
  Readonly<{
    actor: Actor;
    /**
     * The causation names one request, which may be repeated after its answer was lost: what this actor has
     * done to a stream for it is not done again.
     */
    once?: true;
  }>;

/** The service as the actor of what a redaction entails. */
export const redactor = { kind: 'system', id: 'redaction' } as const satisfies Actor;

/** The context of a command that the service itself issues: a cause of its own. */
export const systemContext = (id: string, ids: Ids): Context => {
  const correlationId = ids.event();
  return { actor: { kind: 'system', id }, correlationId, causationId: correlationId };
};

/**
 * The state after a command and its events, none when the command had no effect. `repeated`: the same request
 * had run it before, and this is that outcome. `position` and `revision` are the stream's last, `at` is the
 * time of the decision (ISO 8601).
 */
export type Handled<S, E extends Event> = Readonly<{
  state: S;
  events: readonly E[];
  position: Position;
  revision: number;
  at: string;
  repeated: boolean;
}>;

/**
 * `guard` is called with the revision of the stream's last known event (-1: none) before each decision.
 * `loaded`: the stream as the caller has just loaded it, for the first decision.
 */
type HandleOptions = Readonly<{
  guard?: ((revision: number) => void) | undefined;
  loaded?: LoadedStream | undefined;
}>;

/** What most commands are made with. */
export type CommandPorts = Readonly<{ handle: Handle; clock: Clock; ids: Ids }>;

/** Runs a command against one stream; see `createHandle`. */
export type Handle = <S, C, E extends Event>(
  decider: Decider<S, C, E>,
  stream: string,
  command: C,
  context: Context,
  options?: HandleOptions,
) => Promise<Handled<S, E>>;

/** Waits for a time in milliseconds. */
type Wait = (ms: number) => Promise<unknown>;

/** Conflicts after which a command decides again without a pause: of a few writers one wins each round. */
const PROMPT_RETRIES = 2;
const FIRST_WAIT_MS = 10;
const MAX_WAIT_MS = 250;
/**
 * Longer than an event store needs to show a concurrent append: while its nodes elect a leader, or replicate.
 */
const MAX_TOTAL_WAIT_MS = 5_000;

/**
 * Runs every change: loads the stream, folds, decides, appends at the revision that was read. After a
 * concurrent append it starts again, with growing pauses from the third conflict on, five seconds in all.
 * Throws the decider's DomainErrors, and `StoreUnavailable`.
 */
export const createHandle = (log: EventLog, clock: Clock, ids: Ids, wait: Wait = sleep): Handle => {
  const attempt = attemptOn(log, clock, ids);
  return async (decider, stream, command, context, { guard, loaded } = {}) => {
    for (let conflicts = 0, waitedMs = 0; ; conflicts += 1) {
      if (conflicts > PROMPT_RETRIES) {
        if (waitedMs >= MAX_TOTAL_WAIT_MS) throw changedTooOften(stream, conflicts);
        const waitMs = pauseAfter(conflicts);
        await wait(waitMs);
        waitedMs += waitMs;
      }
      const current = (conflicts === 0 && loaded) || (await log.load(stream));
      try {
        return await attempt(decider, stream, command, context, current, guard);
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
      }
    }
  };
};

/** Decides once, on the stream as it was loaded. Throws `WrongExpectedRevision` after a concurrent append. */
const attemptOn =
  (log: EventLog, clock: Clock, ids: Ids) =>
  async <S, C, E extends Event>(
    decider: Decider<S, C, E>,
    stream: string,
    command: C,
    context: Context,
    { events: recorded, head }: LoadedStream,
    guard: HandleOptions['guard'],
  ): Promise<Handled<S, E>> => {
    const done = context.once ? recorded.filter(({ metadata }) => causes(context, metadata)) : [];
    const last = done.at(-1);
    if (last) return repeated(decider, recorded, done, last);
    // A caller's version counts up to the last event that this release supports.
    const current = recorded.at(-1)?.revision ?? -1;
    guard?.(current);
    const before = fold(decider, recorded);
    const at = clock.now().toISOString();
    const events = decider.decide(command, before);
    const state = events.reduce(decider.evolve, before);
    if (events.length === 0) {
      if (!head) throw new Error(`a command left the stream ${stream} empty`);
      return { state, events, position: head.position, revision: current, at, repeated: false };
    }
    const added = events.map((event) => newEvent(event, context, at, ids.event()));
    const { position, revision } = await log.append(stream, head, added, decider.subject);
    return { state, events, position, revision, at, repeated: false };
  };

/** Doubled with each conflict. */
const pauseAfter = (conflicts: number): number =>
  jittered(Math.min(FIRST_WAIT_MS * 2 ** (conflicts - PROMPT_RETRIES - 1), MAX_WAIT_MS));

const changedTooOften = (stream: string, conflicts: number): StoreUnavailable =>
  new StoreUnavailable(`the stream ${stream} changed ${conflicts} times while a command was decided`);

const causes = ({ causationId, actor }: Context, metadata: Metadata): boolean =>
  metadata.$causationId === causationId &&
  metadata.actor.kind === actor.kind &&
  metadata.actor.id === actor.id;

/** The outcome of the command when it ran before: these events, `last` the last of them. */
const repeated = <S, C, E extends Event>(
  decider: Decider<S, C, E>,
  recorded: readonly Recorded[],
  done: readonly Event[],
  { revision, position, metadata }: Recorded,
): Handled<S, E> => {
  const state = fold(decider, recorded, revision);
  return { state, events: done as readonly E[], position, revision, at: metadata.at, repeated: true };
};

const newEvent = <E extends Event>(event: E, context: Context, at: string, id: string): NewEvent<E> => ({
  ...event,
  id,
  metadata: {
    at,
    $correlationId: context.correlationId,
    $causationId: context.causationId,
    actor: context.actor,
    ...(context.requestId === undefined ? {} : { requestId: context.requestId }),
    ...traceIn(context),
  },
});
