import { SealBroken } from '../kernel/errors.ts';
import type { Recorded } from '../kernel/event.ts';
import { hashOf } from '../stores/events/hash.ts';
import type { EventStore, RecordedEvent } from '../stores/events/port.ts';
import { type ChainBreak, chainBreak } from './chain.ts';
import { sentenceOf } from './verify/sentences.ts';

/** The log as it is stored, and how to open private parts. */
export type LogPorts = Readonly<{
  read: EventStore['read'];
  open(events: readonly RecordedEvent[]): Promise<readonly Recorded[]>;
}>;

/** A stream in both forms, event for event. */
export type CollectedStream = Readonly<{ stored: readonly RecordedEvent[]; opened: readonly Recorded[] }>;

/** An event was changed in the log, or is missing there: nothing is exported. */
export class ChainBroken extends Error {
  override readonly name = 'ChainBroken';

  constructor(stream: string, { revision, type, id, why }: ChainBreak) {
    super(`The chain of ${stream} breaks at revision ${revision} (${type}, ${id}): ${sentenceOf(why)}.`);
  }
}

/** A stream as it is stored. */
export const readStream = async (
  read: EventStore['read'],
  stream: string,
): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const event of read(stream)) events.push(event);
  return events;
};

/** Reads a stream and checks its chain. Throws `ChainBroken`, and `SealBroken` for a changed private part. */
export const collectStream = async (
  { read, open }: LogPorts,
  stream: string,
  mayBeTruncated: boolean,
): Promise<CollectedStream> => {
  const stored = await readStream(read, stream);
  const broken = chainBreak(stored, hashOf, mayBeTruncated);
  if (broken) throw new ChainBroken(stream, broken);
  return { stored, opened: await open(stored) };
};

/**
 * A stream can't be folded from this event on: it breaks its schema, or depends on one of a newer release.
 */
export class EventsNotFoldable extends Error {
  override readonly name = 'EventsNotFoldable';

  constructor({ stream, revision, type, id }: Recorded, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`No state can be made of ${stream} from revision ${revision} (${type}, ${id}) on: ${why}.`, {
      cause,
    });
  }
}

/**
 * The result of `fold`. Throws `EventsNotFoldable`, which names the first event that fails, and `SealBroken`.
 */
export const folded = <T>(events: readonly Recorded[], fold: (events: readonly Recorded[]) => T): T => {
  try {
    return fold(events);
  } catch (error) {
    if (error instanceof SealBroken) throw error;
    const last = events.find((_, index) => fails(() => fold(events.slice(0, index + 1))));
    throw last ? new EventsNotFoldable(last, error) : error;
  }
};

const fails = (run: () => unknown): boolean => {
  try {
    run();
    return false;
  } catch {
    return true;
  }
};
