import type { Clock } from '../kernel/clock.ts';
import { allProjections } from '../projections/all.ts';
import { lagReader, readerOf } from '../projections/engine/lag.ts';
import { PARKED, type Parked } from '../projections/engine/parked.ts';
import { QUARANTINE, type QuarantinedDocument } from '../projections/engine/quarantine.ts';
import { servedReadModels, versionOf } from '../projections/engine/readModels.ts';
import { queueStatus } from '../projections/queueStatus.ts';
import type { Reactor } from '../reactors/engine/reactor.ts';
import { checkpointOf } from '../reactors/engine/runner.ts';
import { SET_ASIDE } from '../reactors/engine/setAside.ts';
import type { DocumentStore, Tables } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { StoreGauge } from './metrics/table.ts';

type Values = Readonly<Record<string, number>>;

/** The gauges of the whole service: the values of each by its label. */
export type StoreMetrics = Readonly<Record<StoreGauge, Values>>;

type Ports = Readonly<{
  log: EventLog;
  documents: Pick<DocumentStore, 'models' | 'tables'>;
  clock: Clock;
}>;

/** Nothing is counted without a limit: what is more than that needs a person either way. */
const MAX_ROWS = 1_000;
const MAX_EVENTS = 200;
/** Types of another release: how many there are is not for this one to say. */
const MAX_TYPES = 20;

/** Reads the gauges from the stores, each by an index and up to a limit. Throws `StoreUnavailable`. */
export const readStoreMetrics = async (
  { log, documents: { models, tables }, clock }: Ports,
  reactors: readonly Reactor[],
): Promise<StoreMetrics> => {
  const now = clock.now();
  const lagsOf = lagReader(log, models, now, MAX_EVENTS);
  const served = await servedReadModels(allProjections, models);
  const serving = new Set(served.map(({ collection }) => collection));
  const projections = await lagsOf(served.map(readerOf));
  const reacting = await lagsOf(reactors.map((one) => ({ ...one, checkpoint: checkpointOf(one) })));
  const checkpoints = await models.checkpoints(served.map(({ collection }) => collection));
  const offset = (n: number): number => (checkpoints[n] ? log.offset(checkpoints[n]) : 0);
  const waiting = await queueStatus(models, now);
  const setAside = await countBy<{ reactor: string }>(tables, SET_ASIDE, ({ reactor }) => reactor);
  const quarantined = await countBy<QuarantinedDocument>(tables, QUARANTINE, ({ projection, collection }) =>
    serving.has(collection) ? projection : null,
  );
  return {
    intake_projection_lag_seconds: each(projections, ({ seconds }) => seconds),
    intake_projection_lag_events: each(projections, ({ events }) => events),
    intake_projection_position: named(served, ({ projection: { name } }, n) => [name, offset(n)]),
    intake_projection_version: named(served, ({ projection, collection }) => [
      projection.name,
      versionOf(collection),
    ]),
    intake_reactor_lag_seconds: each(reacting, ({ seconds }) => seconds),
    intake_quarantined_documents: { ...named(allProjections, ({ name }) => [name, 0]), ...quarantined },
    intake_parked_events: bounded(await countBy<Parked>(tables, PARKED, ({ type }) => type)),
    intake_reactions_set_aside: { ...named(reactors, ({ name }) => [name, 0]), ...setAside },
    intake_queue_items: each(waiting, ({ items }) => items),
    intake_queue_due_items: each(waiting, ({ due }) => due),
    intake_queue_oldest_due_seconds: each(waiting, ({ oldestDueSeconds }) => oldestDueSeconds),
  };
};

const named = <T>(all: readonly T[], entry: (one: T, n: number) => readonly [string, number]): Values =>
  Object.fromEntries(all.map(entry));

const each = <T>(all: Readonly<Record<string, T>>, value: (one: T) => number): Values =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, value(one)]));

/** Types beyond the first ones share a label. */
const bounded = (types: Values): Values => {
  const counts = Object.entries(types);
  const other = counts.slice(MAX_TYPES).reduce((sum, [, count]) => sum + count, 0);
  return { ...Object.fromEntries(counts.slice(0, MAX_TYPES)), ...(other === 0 ? {} : { other }) };
};

/** How many rows of a table there are by name. */
const countBy = async <R>(
  tables: Tables,
  table: string,
  nameOf: (row: R) => string | null,
): Promise<Values> => {
  const counts: Record<string, number> = {};
  for (const { row } of await tables.list<R>(table, { limit: MAX_ROWS })) {
    const name = nameOf(row);
    if (name !== null) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};
