import type { Recorded } from '../../kernel/event.ts';
import type { DocumentStore, Fence, ReadModels } from '../../stores/documents/port.ts';
import type { EventLog } from '../../stores/events/log.ts';
import { type Folded, foldPage, type Quarantined, type QuarantinedFrom } from './fold.ts';
import { park } from './parked.ts';
import type { Progress } from './progress.ts';
import type { Projection } from './projection.ts';
import { loadQuarantine, quarantine } from './quarantine.ts';
import { type ReadModel, type ReadModelStates, readModelStates } from './readModels.ts';

type ProjectionsOptions = Readonly<{
  /** The live ones are kept up to date. */
  standing: Pick<ReadModelStates, 'live' | 'shown'>;
  log: EventLog;
  documents: DocumentStore;
  progress: Progress;
  fence: Fence;
  signal: AbortSignal;
  /** Events folded at once. */
  page: number;
  onQuarantine(quarantined: Quarantined): void;
  /** Hears of each page that is folded in. */
  onPage(events: readonly Recorded[]): void;
}>;

/**
 * Keeps read models up to date, from their checkpoints on, until the signal is aborted: a page, its fold, one write per
 * document, then the checkpoints. Throws `LeaseLost` and `StoreUnavailable`; running again goes on where this ended.
 */
export const runProjections = async (options: ProjectionsOptions): Promise<void> => {
  const { standing, log, documents, progress, fence, signal, page } = options;
  const { live, shown } = standing;
  const held = await loadQuarantine(documents.tables);
  if (shown !== null) progress.advanced(shown);
  const end = progress.begun();
  let after = shown;
  try {
    for await (const { events, unknown, upTo } of log.follow(shown, {
      prefixes: prefixesOf(live),
      page,
      signal,
    })) {
      await park(documents.tables, unknown);
      const folded = await foldAll(live, events, documents.models, held);
      for (const quarantined of folded.quarantined) {
        await quarantine(documents.tables, held, { ...quarantined, after });
        options.onQuarantine(quarantined);
      }
      const checkpoints = Object.fromEntries(live.map(({ collection }) => [collection, upTo]));
      await documents.models.commit(folded.writes, checkpoints, fence);
      after = upTo;
      options.onPage(events);
      progress.advanced(upTo, folded.changed);
    }
  } finally {
    end();
  }
};

/** The streams that some of these read, by the beginnings of their names. */
export const prefixesOf = (targets: readonly ReadModel[]): readonly string[] => [
  ...new Set(targets.flatMap(({ projection }) => projection.prefixes)),
];

/** Makes the collections and indexes of the live read models, points each name at its collection if it points nowhere yet, and says how they stand. */
export const prepareProjections = async (
  projections: readonly Projection[],
  models: ReadModels,
): Promise<ReadModelStates> => {
  const standing = await readModelStates(projections, models);
  const prepare = async ({ projection: { name, indexes }, collection }: ReadModel): Promise<void> => {
    await models.ensure(collection, indexes);
    if ((await models.alias(name)) === name) await models.alias(name, collection);
  };
  // At once: a node that takes over from a dead one should not be held up by a way to the server for each.
  await Promise.all(standing.live.map(prepare));
  return standing;
};

/** Folds a page into all of these; `changed` are the names of those that have writes. */
export const foldAll = async (
  targets: readonly ReadModel[],
  events: readonly Recorded[],
  models: Pick<ReadModels, 'stored'>,
  held: QuarantinedFrom,
): Promise<Folded & Readonly<{ changed: ReadonlySet<string> }>> => {
  // At once: a way to the server for each, one after the other, is what answers would wait for.
  const folded = await Promise.all(targets.map((target) => foldPage(target, events, models, held)));
  return {
    writes: folded.flatMap(({ writes }) => writes),
    quarantined: folded.flatMap(({ quarantined }) => quarantined),
    changed: new Set(
      targets.filter((_, n) => folded[n]?.writes.length).map(({ projection }) => projection.name),
    ),
  };
};
