import type { Position } from '../../domain/kernel.ts';
import type { DocumentStore, Fence, Write } from '../../stores/documents/port.ts';
import type { EventLog } from '../../stores/events/log.ts';
import type { HeldDocument } from '../quarantine.ts';
import { foldAll, prefixesOf } from '../runner.ts';
import type { Target } from '../targets.ts';

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
  /** Events folded at once. */
  page: number;
  onPage(page: Readonly<{ events: number; upTo: Position; writes: readonly Write[] }>): Promise<void>;
  onQuarantine(quarantined: HeldDocument): Promise<void>;
}>;

/**
 * Folds the log into these collections. Gives the position that it has come to, null when it was cancelled. Throws `LeaseLost` and
 * `StoreUnavailable`; calling it again goes on where it ended.
 */
export const catchUp = async (
  { log, documents: { models } }: RebuildPorts,
  targets: readonly Target[],
  { after, until, held, moves, fence, signal, page, onPage, onQuarantine }: CatchUp,
): Promise<Position | null> => {
  if (until !== null && after !== null && after >= until) return after;
  const prefixes = prefixesOf(targets);
  let before = after;
  for await (const { events, upTo, live } of log.follow(after, { prefixes, page, signal })) {
    const folded = await foldAll(targets, events, models, held);
    for (const quarantined of folded.quarantined) await onQuarantine({ ...quarantined, after: before });
    const checkpoints = moves
      ? Object.fromEntries(targets.map(({ collection }) => [collection, upTo]))
      : NOTHING;
    await models.commit(folded.writes, checkpoints, fence);
    before = upTo;
    await onPage({ events: events.length, upTo, writes: folded.writes });
    if (until === null ? live : upTo >= until) return upTo;
  }
  return null;
};

const NOTHING = {};

/** The position up to which all of these collections show the log; null when one of them shows nothing. */
export const shownBy = async (
  { documents: { models } }: RebuildPorts,
  targets: readonly Target[],
): Promise<Position | null> => {
  const checkpoints = await models.checkpoints(targets.map(({ collection }) => collection));
  return checkpoints.includes(null) ? null : (checkpoints.toSorted()[0] ?? null);
};
