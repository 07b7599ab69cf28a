import type { Recorded } from '../../kernel/event.ts';
import type { DocumentStore, Fence, ReadModels } from '../../stores/documents/port.ts';
import type { EventLog } from '../../stores/events/log.ts';
import { checkpointsAt, foldAll, prefixesOf, type Quarantined } from './fold.ts';
import { park } from './parked.ts';
import type { Progress } from './progress.ts';
import type { Projection } from './projection.ts';
import { loadQuarantine, quarantine } from './quarantine.ts';
import { type ReadModel, type ReadModelStates, readModelStates } from './readModels.ts';

type RunnerOptions = Readonly<{
  states: Pick<ReadModelStates, 'live' | 'checkpoint'>;
  log: EventLog;
  documents: DocumentStore;
  progress: Progress;
  fence: Fence;
  signal: AbortSignal;
  /** Events folded at once. */
  page: number;
  onQuarantine(quarantined: Quarantined): void;
  /** Called when a page has been committed. */
  onPage(events: readonly Recorded[]): void;
}>;

/**
 * Keeps the live read models up to date until the signal is aborted: reads a page, folds it, writes each
 * document once, then moves the checkpoints. Throws `LeaseLost` and `StoreUnavailable`.
 */
export const runProjections = async (options: RunnerOptions): Promise<void> => {
  const { log, documents, progress, fence, signal, page } = options;
  const { live, checkpoint } = options.states;
  const { models, tables } = documents;
  const quarantinedFrom = await loadQuarantine(tables);
  if (checkpoint !== null) progress.advanced(checkpoint);
  const stopped = progress.started();
  let after = checkpoint;
  try {
    const prefixes = prefixesOf(live);
    for await (const { events, unknown, upTo } of log.follow(checkpoint, { prefixes, page, signal })) {
      await park(tables, unknown);
      const folded = await foldAll(live, events, models, quarantinedFrom);
      for (const quarantined of folded.quarantined) {
        await quarantine(tables, quarantinedFrom, { ...quarantined, after });
        options.onQuarantine(quarantined);
      }
      await models.commit(folded.writes, checkpointsAt(live, upTo), fence);
      after = upTo;
      options.onPage(events);
      progress.advanced(upTo, folded.changed);
    }
  } finally {
    stopped();
  }
};

/** Creates the live read models' collections, indexes and missing aliases. Returns the states. */
export const prepareProjections = async (
  projections: readonly Projection[],
  models: ReadModels,
): Promise<ReadModelStates> => {
  const states = await readModelStates(projections, models);
  const prepare = async ({ projection: { name, indexes }, collection }: ReadModel): Promise<void> => {
    await models.ensure(collection, indexes);
    if ((await models.alias(name)) === name) await models.alias(name, collection);
  };
  // In parallel: a node that takes over should not wait for one round trip after the other.
  await Promise.all(states.live.map(prepare));
  return states;
};
