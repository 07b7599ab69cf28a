import type { Position, Recorded } from '../domain/kernel.ts';
import type { DocumentStore, Fence, ReadModels } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';
import { type Folded, foldPage, type Held, heldKey, type Quarantined } from './fold.ts';
import type { Progress } from './progress.ts';
import { collectionOf, type Projection } from './projection.ts';

type ProjectionsOptions = Readonly<{
  projections: readonly Projection[];
  log: EventLog;
  documents: DocumentStore;
  progress: Progress;
  fence: Fence;
  signal: AbortSignal;
  /** Events folded at once. */
  page: number;
  onQuarantine(quarantined: Quarantined): void;
}>;

/** The table of documents that are held because an event of theirs made its projection throw. */
export const QUARANTINE = 'quarantine';

/**
 * Keeps read models up to date, from their checkpoints on, until the signal is aborted: a page, its fold, one write per
 * document, then the checkpoints. Throws `LeaseLost` and `StoreUnavailable`; running again goes on where this ended.
 */
export const runProjections = async (options: ProjectionsOptions): Promise<void> => {
  const { projections, log, documents, progress, fence, signal, page } = options;
  const { models } = documents;
  const held = await loadHeld(documents);
  const after = await shownUpTo(projections, models);
  if (after !== null) progress.advanced(after);
  const prefixes = [...new Set(projections.flatMap((projection) => projection.prefixes))];
  const end = progress.begun();
  try {
    for await (const { events, upTo } of log.follow(after, { prefixes, page, signal })) {
      const folded = await foldAll(projections, events, models, held);
      for (const quarantined of folded.quarantined) await quarantine(quarantined, held, options);
      const checkpoints = Object.fromEntries(
        projections.map((projection) => [collectionOf(projection), upTo]),
      );
      await models.commit(folded.writes, checkpoints, fence);
      progress.advanced(upTo, folded.changed);
    }
  } finally {
    end();
  }
};

/** Makes the collections and indexes of read models, and points each name at its collection if it points nowhere yet. */
export const prepareProjections = async (
  projections: readonly Projection[],
  models: ReadModels,
): Promise<void> => {
  const prepare = async (projection: Projection): Promise<void> => {
    const { name, indexes } = projection;
    await models.ensure(collectionOf(projection), indexes);
    if ((await models.alias(name)) === name) await models.alias(name, collectionOf(projection));
  };
  // At once: a node that takes over from a dead one should not be held up by a way to the server for each.
  await Promise.all(projections.map(prepare));
};

/** The position up to which every one of these read models shows the log; null when one of them shows nothing yet. */
export const shownUpTo = async (
  projections: readonly Projection[],
  models: ReadModels,
): Promise<Position | null> => {
  const checkpoints = await models.checkpoints(projections.map(collectionOf));
  return checkpoints.includes(null) ? null : (checkpoints.toSorted()[0] ?? null);
};

const foldAll = async (
  projections: readonly Projection[],
  events: readonly Recorded[],
  models: ReadModels,
  held: Held,
): Promise<Folded & Readonly<{ changed: ReadonlySet<string> }>> => {
  // At once: a way to the server for each, one after the other, is what answers would wait for.
  const folded = await Promise.all(
    projections.map((projection) => foldPage(projection, events, models, held)),
  );
  return {
    writes: folded.flatMap(({ writes }) => writes),
    quarantined: folded.flatMap(({ quarantined }) => quarantined),
    changed: new Set(projections.filter((_, n) => folded[n]?.writes.length).map(({ name }) => name)),
  };
};

const loadHeld = async ({ tables }: DocumentStore): Promise<Map<string, string>> => {
  const held = new Map<string, string>();
  let after: string | undefined;
  for (;;) {
    const rows = await tables.list<Quarantined>(
      QUARANTINE,
      after === undefined ? { limit: 500 } : { after, limit: 500 },
    );
    for (const { row } of rows) held.set(heldKey(row.projection, row.key), row.position);
    after = rows.at(-1)?.key;
    if (after === undefined) return held;
  }
};

const quarantine = async (
  quarantined: Quarantined,
  held: Map<string, string>,
  { documents, onQuarantine }: ProjectionsOptions,
): Promise<void> => {
  const key = heldKey(quarantined.projection, quarantined.key);
  await documents.tables.insert(QUARANTINE, key, quarantined);
  held.set(key, quarantined.position);
  onQuarantine(quarantined);
};
