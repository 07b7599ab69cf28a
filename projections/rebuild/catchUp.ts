import type { Position } from '../../domain/kernel.ts';
import type { DocumentStore, Fence, Write } from '../../stores/documents/port.ts';
import type { EventLog } from '../../stores/events/log.ts';
import type { Quarantined } from '../fold.ts';
import { loadHeld, quarantine } from '../quarantine.ts';
import { foldAll, prefixesOf } from '../runner.ts';
import type { Target } from '../targets.ts';

export type RebuildPorts = Readonly<{ log: EventLog; documents: DocumentStore }>;

type CatchUp = Readonly<{
  fence: Fence;
  signal: AbortSignal;
  /** Events folded at once. */
  page: number;
  /** Where to stop; null: at the end of the log as it is on the way. */
  until: Position | null;
  onPage(page: Readonly<{ events: number; upTo: Position; writes: readonly Write[] }>): Promise<void>;
  onQuarantine(quarantined: Quarantined): void;
}>;

/**
 * Folds the log into these collections, from their checkpoints on. True when it has come to the end, false when it was cancelled.
 * Throws `LeaseLost` and `StoreUnavailable`; calling it again goes on where it ended.
 */
export const catchUp = async (
  { log, documents: { models, tables } }: RebuildPorts,
  targets: readonly Target[],
  { fence, signal, page, until, onPage, onQuarantine }: CatchUp,
): Promise<boolean> => {
  const held = await loadHeld(tables);
  const checkpoints = await models.checkpoints(targets.map(({ collection }) => collection));
  const after = checkpoints.includes(null) ? null : (checkpoints.toSorted()[0] ?? null);
  if (until !== null && after !== null && after >= until) return true;
  for await (const { events, upTo, live } of log.follow(after, {
    prefixes: prefixesOf(targets),
    page,
    signal,
  })) {
    const folded = await foldAll(targets, events, models, held);
    for (const quarantined of folded.quarantined) {
      await quarantine(tables, held, quarantined);
      onQuarantine(quarantined);
    }
    const moved = Object.fromEntries(targets.map(({ collection }) => [collection, upTo]));
    await models.commit(folded.writes, moved, fence);
    await onPage({ events: events.length, upTo, writes: folded.writes });
    if (until === null ? live : upTo >= until) return true;
  }
  return false;
};
