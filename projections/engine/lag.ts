import type { Position, Recorded } from '../../kernel/event.ts';
import type { ReadModels } from '../../stores/documents/port.ts';
import type { EventLog } from '../../stores/events/log.ts';
import { handledBy } from './projection.ts';
import type { ReadModel } from './readModels.ts';

/** How far something is behind the log: how old the oldest event is that it lacks, and how many of those that it handles (up to a limit). */
export type Lag = Readonly<{ seconds: number; events: number }>;

/** Who reads the log, what of it, and the name that its checkpoint stands under. */
export type Reader = Readonly<{ name: string; handles: readonly string[]; checkpoint: string }>;

/** A projection as a reader of the log. */
export const readerOf = ({ projection, collection }: ReadModel): Reader => ({
  name: projection.name,
  handles: handledBy(projection),
  checkpoint: collection,
});

/**
 * Says of readers, by name, how far they are behind; `most` events ahead of a checkpoint are looked at. Most readers are equally far: what lies ahead of
 * a checkpoint is looked up once.
 */
export const lagReader = (log: EventLog, models: ReadModels, now: Date, most: number) => {
  const ahead = new Map<Position | null, readonly Recorded[]>();
  return async (readers: readonly Reader[]): Promise<Readonly<Record<string, Lag>>> => {
    const head = await log.head();
    const checkpoints = await models.checkpoints(readers.map(({ checkpoint }) => checkpoint));
    const lags: Record<string, Lag> = {};
    for (const [n, { name, handles }] of readers.entries()) {
      const at = checkpoints[n] ?? null;
      const reached = head === null || (at !== null && at >= head);
      const events = reached ? [] : (ahead.get(at) ?? (await eventsAfter(log, at, most)));
      if (!reached) ahead.set(at, events);
      const waiting = events.filter(({ type }) => handles.includes(type));
      const [first] = waiting;
      lags[name] = { seconds: first ? secondsSince(first.metadata.at, now) : 0, events: waiting.length };
    }
    return lags;
  };
};

const eventsAfter = async (
  log: EventLog,
  after: Position | null,
  most: number,
): Promise<readonly Recorded[]> => {
  const { signal } = new AbortController();
  const found: Recorded[] = [];
  // Leaving the loop ends it.
  for await (const { events, live } of log.follow(after, { prefixes: [''], page: most, signal })) {
    found.push(...events);
    if (live || found.length >= most) break;
  }
  return found.slice(0, most);
};

/** How many seconds a time lies back; none for one to come. */
export const secondsSince = (at: string, now: Date): number =>
  Math.max(0, (now.getTime() - Date.parse(at)) / 1_000);
