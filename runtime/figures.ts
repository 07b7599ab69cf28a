import type { Position, Recorded } from '../domain/kernel.ts';
import { allProjections } from '../projections/all.ts';
import { deliveryQueue } from '../projections/deliveryQueue.ts';
import type { Quarantined } from '../projections/fold.ts';
import { processingQueue } from '../projections/processingQueue.ts';
import { earliestDue } from '../projections/projection.ts';
import { QUARANTINE } from '../projections/quarantine.ts';
import { servedBy } from '../projections/targets.ts';
import type { Reactor } from '../reactors/reactor.ts';
import { checkpointOf, SET_ASIDE } from '../reactors/runner.ts';
import type { DocumentStore, ReadModels, Tables } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { Clock } from './clock.ts';

type Lag = Readonly<{ seconds: number; events: number }>;
type Queue = Readonly<{ queue: string; items: number; due: number; oldestDueSeconds: number }>;

/** How things stand in the stores, for the whole service and not for this process alone. */
export type Figures = Readonly<{
  /** How far read models are behind the log, by projection, and reactors, by their name. */
  projections: Readonly<Record<string, Lag>>;
  reactors: Readonly<Record<string, Lag>>;
  queues: readonly Queue[];
  /** Documents that stand still, by projection. */
  quarantined: Readonly<Record<string, number>>;
  /** Reactions that were given up, by reactor. */
  setAside: Readonly<Record<string, number>>;
}>;

type Ports = Readonly<{
  log: EventLog;
  documents: Pick<DocumentStore, 'models' | 'tables'>;
  clock: Clock;
}>;

/** Who reads the log, and what of it. */
type Reader = Readonly<{ name: string; handles: readonly string[]; checkpoint: string }>;

/** No figure counts on for ever: what is more than that needs a person either way. */
const MOST_ITEMS = 10_000;
const MOST_ROWS = 1_000;
const MOST_EVENTS = 200;

const QUEUES = { processing: processingQueue.name, deliveries: deliveryQueue.name } as const;

/** Reads the figures, each by an index and up to a limit. Throws `StoreUnavailable`. */
export const readFigures = async (
  { log, documents, clock }: Ports,
  reactors: readonly Reactor[],
): Promise<Figures> => {
  const now = clock.now();
  const { models, tables } = documents;
  const lagsOf = lagReader(log, models, now);
  const queues: Queue[] = [];
  for (const [queue, collection] of Object.entries(QUEUES))
    queues.push({ queue, ...(await queueFigures(models, collection, now)) });
  return {
    projections: await lagsOf(
      (await servedBy(allProjections, models)).map(({ projection, collection }) => ({
        ...projection,
        checkpoint: collection,
      })),
    ),
    reactors: await lagsOf(reactors.map((one) => ({ ...one, checkpoint: checkpointOf(one) }))),
    queues,
    quarantined: await countBy<Quarantined>(
      tables,
      QUARANTINE,
      ({ projection }) => projection,
      allProjections.map(({ name }) => name),
    ),
    setAside: await countBy<{ reactor: string }>(
      tables,
      SET_ASIDE,
      ({ reactor }) => reactor,
      reactors.map(({ name }) => name),
    ),
  };
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

/** Most readers are equally far: what lies ahead of a checkpoint is looked up once. */
const lagReader = (log: EventLog, models: ReadModels, now: Date) => {
  const ahead = new Map<Position | null, readonly Recorded[]>();
  return async (readers: readonly Reader[]): Promise<Readonly<Record<string, Lag>>> => {
    const head = await log.head();
    const lags: Record<string, Lag> = {};
    for (const { name, handles, checkpoint } of readers) {
      const at = await models.checkpoint(checkpoint);
      const reached = head === null || (at !== null && at >= head);
      const events = reached ? [] : (ahead.get(at) ?? (await eventsAfter(log, at)));
      if (!reached) ahead.set(at, events);
      const waiting = events.filter(({ type }) => handles.includes(type));
      const [first] = waiting;
      lags[name] = { seconds: first ? secondsSince(first.metadata.at, now) : 0, events: waiting.length };
    }
    return lags;
  };
};

const eventsAfter = async (log: EventLog, after: Position | null): Promise<readonly Recorded[]> => {
  const { signal } = new AbortController();
  // Leaving the loop ends it.
  for await (const { events } of log.follow(after, { prefixes: [''], page: MOST_EVENTS, signal }))
    return events;
  return [];
};

/** How many rows of a table there are by name, zero for each of `names` that has none. */
const countBy = async <R>(
  tables: Tables,
  table: string,
  name: (row: R) => string,
  names: readonly string[],
): Promise<Readonly<Record<string, number>>> => {
  const counts: Record<string, number> = Object.fromEntries(names.map((one) => [one, 0]));
  for (const { row } of await tables.list<R>(table, { limit: MOST_ROWS }))
    counts[name(row)] = (counts[name(row)] ?? 0) + 1;
  return counts;
};

const secondsSince = (at: string, now: Date): number => Math.max(0, (now.getTime() - Date.parse(at)) / 1_000);
