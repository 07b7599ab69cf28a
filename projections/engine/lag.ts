import type { Position } from '../../kernel/event.ts';
import type { ReadModels } from '../../stores/documents/port.ts';
import type { EventLog } from '../../stores/events/log.ts';
import { handledBy } from './projection.ts';
import type { ReadModel } from './readModels.ts';

/** The age of the first event that a reader has yet to handle, and the number of those events. */
export type Lag = Readonly<{ seconds: number; events: number }>;

/** A reader of the log: the event types that it handles, and the name of its checkpoint. */
type Reader = Readonly<{ name: string; handles: readonly string[]; checkpoint: string }>;

/** A read model as a reader of the log. */
export const readerOf = ({ projection, collection }: ReadModel): Reader => ({
  name: projection.name,
  handles: handledBy(projection),
  checkpoint: collection,
});

/** Gives the lags of readers by name, looking at `max` events behind each checkpoint. */
export const lagReader = (log: EventLog, models: ReadModels, now: Date, max: number) => {
  const eventsBehind = rangeReader(log, max);
  return async (readers: readonly Reader[]): Promise<Readonly<Record<string, Lag>>> => {
    const head = await log.head();
    const checkpoints = await models.checkpoints(readers.map(({ checkpoint }) => checkpoint));
    const lags: Record<string, Lag> = {};
    for (const [n, { name, handles }] of readers.entries()) {
      const at = checkpoints[n] ?? null;
      const isAtEnd = head === null || (at !== null && at >= head);
      const events = isAtEnd ? [] : await eventsBehind(at);
      const waiting = events.filter(({ type }) => handles.includes(type));
      const [first] = waiting;
      lags[name] = { seconds: first ? secondsSince(first.at, now) : 0, events: waiting.length };
    }
    return lags;
  };
};

type Brief = Readonly<{ type: string; at: string }>;

/**
 * Reads the events behind a position, up to `until` or the end of the log, at most `max`. Each range is read
 * once: most readers are at the same position.
 */
export const rangeReader = (log: EventLog, max: number) => {
  const ranges = new Map<string, Promise<readonly Brief[]>>();
  return (after: Position | null, until: Position | null = null): Promise<readonly Brief[]> => {
    const name = `${after} ${until}`;
    const range = ranges.get(name) ?? readRange(log, after, until, max);
    ranges.set(name, range);
    return range;
  };
};

const readRange = async (
  log: EventLog,
  after: Position | null,
  until: Position | null,
  max: number,
): Promise<readonly Brief[]> => {
  const { signal } = new AbortController();
  const found: Brief[] = [];
  const page = Math.min(max, 1_000);
  // Leaving the loop ends the subscription.
  for await (const { events, live, upTo } of log.follow(after, { prefixes: [''], page, signal })) {
    for (const { type, metadata, position } of events)
      if (until === null || position <= until) found.push({ type, at: metadata.at });
    if (live || found.length >= max || (until !== null && upTo >= until)) break;
  }
  return found.slice(0, max);
};

/** How many seconds ago a time was; 0 for one in the future. */
export const secondsSince = (at: string, now: Date): number =>
  Math.max(0, (now.getTime() - Date.parse(at)) / 1_000);
