import type { Clock } from '../kernel/clock.ts';
import { allProjections, queues } from '../projections/all.ts';
import { type Lag, lagReader, readerOf, secondsSince } from '../projections/engine/lag.ts';
import { PARKED, type Parked } from '../projections/engine/parked.ts';
import { earliestDue } from '../projections/engine/projection.ts';
import { QUARANTINE, type QuarantinedDocument } from '../projections/engine/quarantine.ts';
import { servedReadModels, versionOf } from '../projections/engine/readModels.ts';
import type { Reactor } from '../reactors/engine/reactor.ts';
import { checkpointOf, SET_ASIDE } from '../reactors/engine/runner.ts';
import type { DocumentStore, ReadModels, Tables } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';

type Queue = Readonly<{ queue: string; items: number; due: number; oldestDueSeconds: number }>;

/** How things stand in the stores, for the whole service and not for this process alone. */
export type Figures = Readonly<{
  /** How far read models and reactors are behind the log, by their names. */
  projections: Readonly<Record<string, Lag>>;
  reactors: Readonly<Record<string, Lag>>;
  /** Of each projection: the version that serves, and how far into the log it shows it (rows or bytes). */
  shown: Readonly<Record<string, Readonly<{ version: number; offset: number }>>>;
  queues: readonly Queue[];
  /** Documents that stand still, by projection. */
  quarantined: Readonly<Record<string, number>>;
  /** Reactions that were given up, by reactor. */
  setAside: Readonly<Record<string, number>>;
  /** Events that the read models have passed without knowing them, by type. */
  parked: Readonly<Record<string, number>>;
}>;

type Ports = Readonly<{
  log: EventLog;
  documents: Pick<DocumentStore, 'models' | 'tables'>;
  clock: Clock;
}>;

/** No figure counts on for ever: what is more than that needs a person either way. */
const MOST_ITEMS = 10_000;
const MOST_ROWS = 1_000;
const MOST_EVENTS = 200;

/** Reads the figures, each by an index and up to a limit. Throws `StoreUnavailable`. */
export const readFigures = async (
  { log, documents, clock }: Ports,
  reactors: readonly Reactor[],
): Promise<Figures> => {
  const now = clock.now();
  const { models, tables } = documents;
  const lagsOf = lagReader(log, models, now, MOST_EVENTS);
  const served = await servedReadModels(allProjections, models);
  const serving = new Set(served.map(({ collection }) => collection));
  const waiting: Queue[] = [];
  for (const [queue, { name }] of Object.entries(queues))
    waiting.push({ queue, ...(await queueFigures(models, name, now)) });
  return {
    projections: await lagsOf(served.map(readerOf)),
    reactors: await lagsOf(reactors.map((one) => ({ ...one, checkpoint: checkpointOf(one) }))),
    queues: waiting,
    shown: await shownOf(log, models, served),
    quarantined: await countBy<QuarantinedDocument>(
      tables,
      QUARANTINE,
      ({ projection, collection }) => (serving.has(collection) ? projection : null),
      allProjections.map(({ name }) => name),
    ),
    setAside: await countBy<{ reactor: string }>(
      tables,
      SET_ASIDE,
      ({ reactor }) => reactor,
      reactors.map(({ name }) => name),
    ),
    parked: await countBy<Parked>(tables, PARKED, ({ type }) => type, []),
  };
};

const shownOf = async (
  log: EventLog,
  models: ReadModels,
  served: Awaited<ReturnType<typeof servedReadModels>>,
): Promise<Figures['shown']> => {
  const checkpoints = await models.checkpoints(served.map(({ collection }) => collection));
  const entries = served.map(({ projection, collection }, n) => {
    const checkpoint = checkpoints[n] ?? null;
    const offset = checkpoint === null ? 0 : log.offset(checkpoint);
    return [projection.name, { version: versionOf(collection), offset }] as const;
  });
  return Object.fromEntries(entries);
};

const queueFigures = async (
  models: ReadModels,
  collection: string,
  now: Date,
): Promise<Omit<Queue, 'queue'>> => {
  const before = new Date(now.getTime() + 1).toISOString();
  const where = { dueAt: { before } };
  const { items } = await models.page<{ dueAt: string }>(collection, {
    where,
    sort: earliestDue.sort,
    limit: 1,
    after: null,
  });
  const [oldest] = items;
  return {
    items: await models.count(collection, {}, MOST_ITEMS),
    due: await models.count(collection, where, MOST_ITEMS),
    oldestDueSeconds: oldest ? secondsSince(oldest.dueAt, now) : 0,
  };
};

/** How many rows of a table there are by name, zero for each of `names` that has none. */
const countBy = async <R>(
  tables: Tables,
  table: string,
  name: (row: R) => string | null,
  names: readonly string[],
): Promise<Readonly<Record<string, number>>> => {
  const counts: Record<string, number> = Object.fromEntries(names.map((one) => [one, 0]));
  for (const { row } of await tables.list<R>(table, { limit: MOST_ROWS })) {
    const counted = name(row);
    if (counted !== null) counts[counted] = (counts[counted] ?? 0) + 1;
  }
  return counts;
};
