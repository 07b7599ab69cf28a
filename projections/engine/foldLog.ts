import type { Position } from '../../kernel/event.ts';
import type { DocumentStore, Fence, Write } from '../../stores/documents/port.ts';
import type { EventLog } from '../../stores/events/log.ts';
import { park } from './parked.ts';
import type { QuarantinedDocument } from './quarantine.ts';
import type { ReadModel } from './readModels.ts';
import { foldAll, prefixesOf } from './runner.ts';
import { createWriteBuffer } from './writeBuffer.ts';

export type RebuildPorts = Readonly<{ log: EventLog; documents: DocumentStore }>;

type CatchUp = Readonly<{
  /** Where to begin: behind this position, null for the origin. */
  after: Position | null;
  /** Where to stop; null: at the end of the log as it is on the way. */
  until: Position | null;
  /** Documents that stand still; those that throw come to them. */
  held: Map<string, string>;
  /** Whether the checkpoints of the collections move too. */
  moves: boolean;
  fence: Fence;
  signal: AbortSignal;
  /** Events that are committed at once. */
  page: number;
  /** Events that are read and folded at once, unless those of a page are fewer. */
  read?: number;
  onPage(page: Readonly<{ events: number; upTo: Position; writes: readonly Write[] }>): Promise<void>;
  onQuarantine(quarantined: QuarantinedDocument): Promise<void>;
}>;

/**
 * Folds the log into these collections. Gives the position that it has come to, null when it was cancelled. Throws `LeaseLost` and
 * `StoreUnavailable`; calling it again goes on where it ended.
 */
export const foldLog = async (
  { log, documents: { models, tables } }: RebuildPorts,
  targets: readonly ReadModel[],
  {
    after,
    until,
    held,
    moves,
    fence,
    signal,
    page,
    read: most = READ_AT_ONCE,
    onPage,
    onQuarantine,
  }: CatchUp,
): Promise<Position | null> => {
  if (until !== null && after !== null && after >= until) return after;
  const prefixes = prefixesOf(targets);
  const buffer = createWriteBuffer(models);
  const read = Math.min(page, most);
  let before = after;
  let count = 0;
  for await (const { events, unknown, upTo, live } of log.follow(after, { prefixes, page: read, signal })) {
    await park(tables, unknown);
    const folded = await foldAll(targets, events, buffer, held);
    for (const quarantined of folded.quarantined) await onQuarantine({ ...quarantined, after: before });
    buffer.add(folded.writes);
    count += events.length;
    const isEnd = until === null ? live : upTo >= until;
    // A page that was cut short holds large events, or none: then nothing is gained by another.
    if (count + read <= page && events.length === read && !isEnd) continue;
    const writes = buffer.take();
    const checkpoints = moves
      ? Object.fromEntries(targets.map(({ collection }) => [collection, upTo]))
      : NOTHING;
    await models.commit(writes, checkpoints, fence);
    before = upTo;
    await onPage({ events: count, upTo, writes });
    count = 0;
    if (isEnd) return upTo;
  }
  return null;
};

const NOTHING = {};

/** The position up to which all of these collections show the log; null when one of them shows nothing. */
export const lowestCheckpoint = async (
  { documents: { models } }: RebuildPorts,
  targets: readonly ReadModel[],
): Promise<Position | null> => {
  const checkpoints = await models.checkpoints(targets.map(({ collection }) => collection));
  return checkpoints.includes(null) ? null : (checkpoints.toSorted()[0] ?? null);
};

/** So many events at once go through memory on their way into documents: those of a larger page would outlive the quick collections of garbage. */
const READ_AT_ONCE = 500;
