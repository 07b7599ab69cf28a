import type { Position } from '../../../kernel/event.ts';
import type { Fence } from '../../../stores/documents/port.ts';
import { type FoldPorts, foldLog } from '../foldLog.ts';
import type { Projection } from '../projection.ts';
import { loadQuarantine, type QuarantinedDocument, quarantine, releaseCollection } from '../quarantine.ts';
import { checkpointsOf, lowest, type ReadModel, versionOf } from '../readModels.ts';
import { type Comparison, compare, createSample } from './compare.ts';
import {
  finishGeneration,
  type Generation,
  readRecord,
  recordProgress,
  retire,
  startGeneration,
  updateRecord,
} from './registry.ts';

/** The steps of a rebuild. `share` of the log from 0 to 1; `total` is an estimate until the end. */
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

/** `withLivePaused` runs `body` while no other process moves the live read models, with their fence. */
export type RebuildPorts = FoldPorts &
  Readonly<{
    fence: Fence;
    signal: AbortSignal;
    page: number;
    read?: number;
    onEvent(event: RebuildEvent): void;
    random(): number;
    withLivePaused<T>(body: (fence: Fence, signal: AbortSignal) => Promise<T>): Promise<T>;
  }>;

const SAMPLE_SIZE = 200;
/** How often the number of events is recorded that a rebuild has read: each time is a durable write. */
const RECORDED_MS = 1_000;

/**
 * Fills a new collection for each projection from the log and points the aliases at them. False when it was
 * cancelled before: the next rebuild continues, unless `anew`. Old collections are retired, not dropped.
 */
export const rebuild = async (
  ports: RebuildPorts,
  projections: readonly Projection[],
  anew = false,
): Promise<boolean> => {
  const { documents, onEvent } = ports;
  const served = await documents.models.aliases(projections.map(({ name }) => name));
  const generations: Generation[] = [];
  for (const [n, projection] of projections.entries()) {
    const serves = served[n] === projection.name ? null : (served[n] ?? null);
    const generation = await startGeneration(documents, projection, serves, anew);
    generations.push(generation);
    // Indexes first: an engine then reads a document's JSON once for all of them.
    await documents.models.ensure(generation.collection, projection.indexes, projection);
    const { collection, events } = generation;
    onEvent({ event: 'begun', projection: projection.name, collection, serves, events });
  }
  const sample = createSample(SAMPLE_SIZE, ports.random);
  if (!(await fill(ports, generations, sample))) return false;
  return ports.withLivePaused((fence, signal) => {
    onEvent({ event: 'holding' });
    return swap({ ...ports, fence, signal }, generations, sample);
  });
};

type Sample = ReturnType<typeof createSample>;

/** Brings the collections to the end of the log. */
const fill = (ports: RebuildPorts, generations: readonly Generation[], sample: Sample): Promise<boolean> => {
  const { log, documents, onEvent } = ports;
  let events = Math.min(...generations.map((generation) => generation.events));
  let recordedAt = Number.NEGATIVE_INFINITY;
  return foldUntil(ports, generations, 'end', async (folded) => {
    for (const count of folded.types.values()) events += count;
    sample.add(folded.writes);
    if (performance.now() - recordedAt >= RECORDED_MS) {
      await Promise.all(generations.map((one) => recordProgress(documents.tables, one, events)));
      recordedAt = performance.now();
    }
    const head = await log.head();
    const share = head === null ? 1 : shareOf(log.offset(folded.upTo), log.offset(head));
    onEvent({ event: 'progress', events, total: Math.round(events / share), share });
  });
};

const shareOf = (offset: number, end: number): number =>
  offset <= 0 || end <= 0 ? 1 : Math.min(1, offset / end);

/** Brings old and new collections to the same position, compares them and moves the aliases. */
const swap = async (
  ports: RebuildPorts,
  generations: readonly Generation[],
  sample: Sample,
): Promise<boolean> => {
  const { documents, log, fence, onEvent } = ports;
  const old = generations
    .filter(isComparable)
    .map(({ projection, served }) => ({ projection, collection: served }));
  const onPage: OnPage = async ({ writes }) => sample.add(writes);
  // A runner that died between its documents and its checkpoint has written up to the head at most. One that
  // has lost its lease without knowing it may write one more page: so a second time, to the next head.
  for (let round = 0; round < 2; round += 1) {
    const until = await log.head();
    if (until !== null && !(await foldUntil(ports, [...generations, ...old], until, onPage))) return false;
  }
  for (const generation of generations) {
    const ids = sample.of(generation.collection);
    const comparison = await compare(documents.models, generation, ids, isComparable(generation));
    onEvent({ event: 'compared', ...comparison });
  }
  for (const { projection, collection, served } of generations) {
    if (served !== null) await retire(documents.tables, projection.name, served);
    await documents.models.alias(projection.name, collection, fence);
    await finishGeneration(documents.tables, { projection, collection });
    onEvent({ event: 'serves', projection: projection.name, collection, instead: served });
  }
  return true;
};

type OnPage = NonNullable<Parameters<typeof foldLog>[2]['onPage']>;

const isComparable = (generation: Generation): generation is Generation & Readonly<{ served: string }> =>
  generation.served !== null && versionOf(generation.served) === generation.projection.version;

/** Folds the log into read models up to a position, or to its end; false when cancelled. */
const foldUntil = async (
  ports: RebuildPorts,
  readModels: readonly ReadModel[],
  until: Position | 'end',
  onPage: OnPage,
): Promise<boolean> => {
  const { models, tables } = ports.documents;
  const quarantinedFrom = await loadQuarantine(tables);
  const reached = await foldLog(ports, readModels, {
    ...ports,
    after: lowest(await checkpointsOf(readModels, models)),
    until,
    quarantinedFrom,
    movesCheckpoints: true,
    onPage,
    onQuarantine: async (quarantined) => {
      await quarantine(tables, quarantinedFrom, quarantined);
      ports.onEvent({ event: 'quarantined', ...quarantined });
    },
  });
  return reached !== null;
};

/** Whether collections of these projections wait to be dropped. */
export const hasRetired = async (
  { tables }: Pick<FoldPorts['documents'], 'tables'>,
  projections: readonly Projection[],
): Promise<boolean> => {
  const records = await Promise.all(projections.map(({ name }) => readRecord(tables, name)));
  return records.some(({ retired }) => retired.length > 0);
};

/** Drops the collections of these projections that serve no longer. */
export const dropRetired = async (
  { documents: { models, tables }, onEvent }: Pick<RebuildPorts, 'documents' | 'onEvent'>,
  projections: readonly Projection[],
): Promise<void> => {
  for (const { name } of projections) {
    const { retired, filling } = await readRecord(tables, name);
    const serves = await models.alias(name);
    for (const collection of retired) {
      // A process that died before it moved the alias may have retired it.
      if (collection === serves || collection === filling?.collection) continue;
      await models.drop(collection);
      await releaseCollection(tables, collection);
      onEvent({ event: 'dropped', projection: name, collection });
    }
    await updateRecord(tables, name, (record) => ({
      ...record,
      retired: record.retired.filter((collection) => collection === serves),
    }));
  }
};
