import type { Fence, ReadModels } from '../../stores/documents/port.ts';
import type { Quarantined } from './fold.ts';
import { type FoldPorts, foldLog } from './foldLog.ts';
import type { Progress } from './progress.ts';
import type { Projection } from './projection.ts';
import { loadQuarantine, quarantine } from './quarantine.ts';
import { type ReadModel, type ReadModelStates, readModelStates } from './readModels.ts';

type RunnerOptions = FoldPorts &
  Readonly<{
    states: Pick<ReadModelStates, 'live' | 'checkpoint'>;
    progress: Progress;
    fence: Fence;
    signal: AbortSignal;
    /** Events that are committed together, while more are waiting. */
    page: number;
    onQuarantine(quarantined: Quarantined): void;
    /** Called when a page has been committed, with the number of its events of each type. */
    onPage(types: ReadonlyMap<string, number>): void;
  }>;

/**
 * Keeps the live read models up to date until the signal is aborted. Throws `LeaseLost` and
 * `StoreUnavailable`.
 */
export const runProjections = async (options: RunnerOptions): Promise<void> => {
  const { progress } = options;
  const { live, checkpoint } = options.states;
  const { tables } = options.documents;
  const quarantinedFrom = await loadQuarantine(tables);
  const names = new Map(live.map(({ projection, collection }) => [collection, projection.name]));
  if (checkpoint !== null) progress.advanced(checkpoint);
  const stopped = progress.started();
  try {
    await foldLog(options, live, {
      ...options,
      after: checkpoint,
      until: 'never',
      quarantinedFrom,
      movesCheckpoints: true,
      onPage: async ({ types, upTo, writes }) => {
        options.onPage(types);
        progress.advanced(upTo, new Set(writes.map(({ collection }) => names.get(collection) ?? collection)));
      },
      onQuarantine: async (quarantined) => {
        await quarantine(tables, quarantinedFrom, quarantined);
        options.onQuarantine(quarantined);
      },
    });
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
  const prepare = async ({ projection, collection }: ReadModel): Promise<void> => {
    const { name, indexes } = projection;
    await models.ensure(collection, indexes, projection);
    if ((await models.alias(name)) === name) await models.alias(name, collection);
  };
  // In parallel: a node that takes over should not wait for one round trip after the other.
  await Promise.all(states.live.map(prepare));
  return states;
};
