import type { Position } from '../../../kernel/event.ts';
import type { Fence, Write } from '../../../stores/documents/port.ts';
import { foldLog, lowestCheckpoint, type RebuildPorts } from '../foldLog.ts';
import type { Projection } from '../projection.ts';
import { loadQuarantine, type QuarantinedDocument, quarantine, releaseCollection } from '../quarantine.ts';
import { type ReadModel, versionOf } from '../readModels.ts';
import { type Comparison, compare } from './compare.ts';
import {
  finishGeneration,
  type Generation,
  readRecord,
  recordProgress,
  retire,
  startGeneration,
  updateRecord,
} from './registry.ts';
import { createSample } from './sample.ts';

/** What a rebuild tells on its way. `share`: how much of the log it has read, from 0 to 1; `events` of `total` (an estimate until the end). */
export type RebuildEvent =
  | Readonly<{
      event: 'begun';
      projection: string;
      collection: string;
      serves: string | null;
      events: number;
    }>
  | Readonly<{ event: 'progress'; events: number; total: number; share: number }>
  | Readonly<{ event: 'waiting' }>
  | Readonly<{ event: 'holding' }>
  | (Readonly<{ event: 'compared' }> & Comparison)
  | Readonly<{ event: 'serves'; projection: string; collection: string; instead: string | null }>
  | (Readonly<{ event: 'quarantined' }> & QuarantinedDocument)
  | Readonly<{ event: 'dropped'; projection: string; collection: string }>;

type Tell = (event: RebuildEvent) => void;

/** What a rebuild works with. `hold` stops the live read models while `body` runs, which gets the fence that moves them and a signal that ends with it. */
export type Rebuilding = RebuildPorts &
  Readonly<{
    fence: Fence;
    signal: AbortSignal;
    page: number;
    read?: number;
    tell: Tell;
    random(): number;
    hold<T>(body: (fence: Fence, signal: AbortSignal) => Promise<T>): Promise<T>;
  }>;

const SAMPLED = 200;

/**
 * Fills a new collection for each projection from the log, beside those that serve, and lets them serve instead once they show as much. False when
 * it was cancelled before: the next rebuild goes on from there, unless `anew`. Old collections are retired, not dropped.
 */
export const rebuild = async (
  rebuilding: Rebuilding,
  projections: readonly Projection[],
  anew = false,
): Promise<boolean> => {
  const { documents, tell } = rebuilding;
  const served = await documents.models.aliases(projections.map(({ name }) => name));
  const generations: Generation[] = [];
  for (const [n, projection] of projections.entries()) {
    const serves = served[n] === projection.name ? null : (served[n] ?? null);
    const generation = await startGeneration(documents, projection, serves, anew);
    generations.push(generation);
    // Before the documents: an engine that reads JSON for an index reads it once for all of them when it writes a document.
    await documents.models.ensure(generation.collection, projection.indexes);
    const { collection, events } = generation;
    tell({ event: 'begun', projection: projection.name, collection, serves, events });
  }
  const sample = createSample(SAMPLED, rebuilding.random);
  if (!(await fill(rebuilding, generations, sample))) return false;
  return rebuilding.hold((fence, signal) => {
    tell({ event: 'holding' });
    return swap({ ...rebuilding, fence, signal }, generations, sample);
  });
};

type Sample = ReturnType<typeof createSample>;

/** Brings the collections to the end of the log. */
const fill = async (
  rebuilding: Rebuilding,
  generations: readonly Generation[],
  sample: Sample,
): Promise<boolean> => {
  const { log, documents, tell } = rebuilding;
  let events = Math.min(...generations.map((generation) => generation.events));
  const isDone = await toPosition(rebuilding, generations, null, async (folded) => {
    events += folded.events;
    sample.add(folded.writes);
    await Promise.all(generations.map((generation) => recordProgress(documents.tables, generation, events)));
    const head = await log.head();
    const share = head === null ? 1 : shareOf(log.offset(folded.upTo), log.offset(head));
    tell({ event: 'progress', events, total: Math.round(events / share), share });
  });
  return isDone;
};

const shareOf = (offset: number, end: number): number =>
  offset <= 0 || end <= 0 ? 1 : Math.min(1, offset / end);

/** Brings old and new to exactly the same position, compares them, and points the names at the new ones. Nothing else moves read models meanwhile. */
const swap = async (
  rebuilding: Rebuilding,
  generations: readonly Generation[],
  sample: Sample,
): Promise<boolean> => {
  const { documents, log, fence, tell } = rebuilding;
  const comparable = generations.filter(isComparable);
  const old = comparable.map(({ projection, served }) => ({ projection, collection: served }));
  // A runner that died between its documents and its checkpoint may have shown more than the checkpoint says, but not more than the log. And one that does not know yet that
  // it has lost its lease may show one page more, on an engine that looks at the fence last: so once more to the end, which has moved on by then.
  const targets = [...generations, ...old];
  const onPage = async ({ writes }: Readonly<{ writes: readonly Write[] }>): Promise<void> =>
    sample.add(writes);
  for (let round = 0; round < 2; round += 1) {
    const until = await log.head();
    if (until !== null && !(await toPosition(rebuilding, targets, until, onPage))) return false;
  }
  for (const generation of generations) {
    const ids = sample.of(generation.collection);
    const comparison = await compare(documents.models, generation, ids, isComparable(generation));
    tell({ event: 'compared', ...comparison });
  }
  for (const { projection, collection, served } of generations) {
    if (served !== null) await retire(documents.tables, projection.name, served);
    await documents.models.alias(projection.name, collection, fence);
    await finishGeneration(documents.tables, { projection, collection });
    tell({ event: 'serves', projection: projection.name, collection, instead: served });
  }
  return true;
};

const isComparable = (generation: Generation): generation is Generation & Readonly<{ served: string }> =>
  generation.served !== null && versionOf(generation.served) === generation.projection.version;

/** Folds the log into these up to a position, or to its end; false when that was cancelled. */
const toPosition = async (
  rebuilding: Rebuilding,
  targets: readonly ReadModel[],
  until: Position | null,
  onPage: Parameters<typeof foldLog>[2]['onPage'],
): Promise<boolean> => {
  const { tables } = rebuilding.documents;
  const held = await loadQuarantine(tables);
  const reached = await foldLog(rebuilding, targets, {
    ...rebuilding,
    after: await lowestCheckpoint(rebuilding, targets),
    until,
    held,
    moves: true,
    onPage,
    onQuarantine: async (quarantined) => {
      await quarantine(tables, held, quarantined);
      rebuilding.tell({ event: 'quarantined', ...quarantined });
    },
  });
  return reached !== null;
};

/** Whether collections of these projections wait to be dropped. */
export const hasRetired = async (
  { tables }: Pick<RebuildPorts['documents'], 'tables'>,
  projections: readonly Projection[],
): Promise<boolean> => {
  const books = await Promise.all(projections.map(({ name }) => readRecord(tables, name)));
  return books.some(({ retired }) => retired.length > 0);
};

/** Drops the collections of these projections that serve no longer. */
export const dropRetired = async (
  { documents: { models, tables }, tell }: Pick<Rebuilding, 'documents' | 'tell'>,
  projections: readonly Projection[],
): Promise<void> => {
  for (const { name } of projections) {
    const { retired, filling } = await readRecord(tables, name);
    const serves = await models.alias(name);
    for (const collection of retired) {
      // It may have been retired by somebody who died before he pointed the name elsewhere.
      if (collection === serves || collection === filling?.collection) continue;
      await models.drop(collection);
      await releaseCollection(tables, collection);
      tell({ event: 'dropped', projection: name, collection });
    }
    await updateRecord(tables, name, (book) => ({
      ...book,
      retired: book.retired.filter((collection) => collection === serves),
    }));
  }
};
