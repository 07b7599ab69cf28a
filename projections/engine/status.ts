import type { Clock } from '../../kernel/clock.ts';
import type { Position } from '../../kernel/event.ts';
import { pause } from '../../kernel/signals.ts';
import type { DocumentStore } from '../../stores/documents/port.ts';
import type { FoldPorts } from './foldLog.ts';
import { type Lag, lagReader, rangeReader, readerOf } from './lag.ts';
import { handledBy, type Projection } from './projection.ts';
import { type QuarantinedDocument, quarantinedIn } from './quarantine.ts';
import {
  checkpointsOf,
  type ReadModel,
  type ServedReadModel,
  servedReadModels,
  versionOf,
} from './readModels.ts';
import { type RebuildRecord, readRecord } from './rebuild/registry.ts';

/** The status of a projection. `version` is this release's. */
export type ProjectionStatus = Readonly<{
  name: string;
  version: number;
  /** outdated: an older version serves; newer: that of a newer release; absent: none serves yet. */
  state: 'live' | 'outdated' | 'absent' | 'newer';
  serves: Readonly<{ collection: string; version: number }> | null;
  position: Position | null;
  /** Events that it has yet to handle, among the next 10,000 of the log. */
  lag: Lag;
  /** Events a second that it has handled just now. */
  rate: number;
  /** What a rebuild, in progress or cancelled, has filled so far. */
  rebuilding: RebuildRecord['filling'];
  quarantined: Readonly<{
    count: number;
    documents: readonly Omit<QuarantinedDocument, 'projection' | 'collection'>[];
  }>;
}>;

type Ports = FoldPorts & Readonly<{ projections: readonly Projection[]; clock: Clock }>;

const MAX_LAG_EVENTS = 10_000;
const MAX_RATE_EVENTS = 100_000;
/** Of more quarantined documents only the number is given. */
const MAX_DOCUMENTS = 20;
/** The rate is measured over at least this time. */
const MEASURED_MS = 1_000;
/** And at most over this one: the events of that time are read. */
const RECENT_MS = 30_000;

/** The checkpoints of collections at a time of a steady clock, in milliseconds. */
type Look = Readonly<{ at: number; checkpoints: ReadonlyMap<string, Position | null> }>;

/** The status of every projection; it takes one second. Throws `StoreUnavailable`. */
export const projectionStatus = (ports: Ports): Promise<readonly ProjectionStatus[]> =>
  createStatusReader(ports)();

/**
 * Gives the status of every projection, as often as it is called. Rates are measured since an earlier call;
 * without one in the last 30 s it takes one second. Throws `StoreUnavailable`.
 */
export const createStatusReader = (ports: Ports): (() => Promise<readonly ProjectionStatus[]>) => {
  const earlier = createLooks(() => look(ports));
  return async () => statusSince(ports, await earlier());
};

const look = async ({ projections, documents: { models } }: Ports): Promise<Look> => {
  const served = await servedReadModels(projections, models);
  const found = await checkpointsOf(served, models);
  const checkpoints = new Map(served.map(({ collection }, n) => [collection, found[n] ?? null]));
  return { at: performance.now(), checkpoints };
};

/** Gives a look from at least a second before: one of an earlier call, else a new one, a second later. */
const createLooks = (take: () => Promise<Look>): (() => Promise<Look>) => {
  let looks: readonly Look[] = [];
  return async () => {
    const taken = await take();
    const age = (look: Look | undefined): number => (look ? taken.at - look.at : Number.POSITIVE_INFINITY);
    const recent = looks.filter((look) => age(look) <= RECENT_MS);
    looks = age(recent.at(-1)) < MEASURED_MS ? recent : [...recent, taken];
    const before = recent.findLast((look) => age(look) >= MEASURED_MS);
    if (!before) await pause(MEASURED_MS, new AbortController().signal);
    return before ?? taken;
  };
};

const statusSince = async (ports: Ports, before: Look): Promise<readonly ProjectionStatus[]> => {
  const { projections, log, documents, clock } = ports;
  const { models } = documents;
  const served = await servedReadModels(projections, models);
  const positions = await checkpointsOf(served, models);
  const seconds = (performance.now() - before.at) / 1_000;
  const lags = await lagReader(log, models, clock.now(), MAX_LAG_EVENTS)(served.map(readerOf));
  const eventsBetween = rangeReader(log, MAX_RATE_EVENTS);
  const rateOf = async ({ projection, collection }: ReadModel, to: Position | null): Promise<number> => {
    const from = before.checkpoints.get(collection);
    if (to === null || from === undefined || from === to) return 0;
    const handled = handledBy(projection);
    const events = await eventsBetween(from, to);
    const count = events.filter(({ type }) => handled.includes(type)).length;
    return Math.round((count * 10) / seconds) / 10;
  };
  const all: ProjectionStatus[] = [];
  for (const [n, one] of served.entries()) {
    const position = positions[n] ?? null;
    const lag = lags[one.projection.name] ?? { seconds: 0, events: 0 };
    all.push({ ...(await stateOf(documents, one)), position, lag, rate: await rateOf(one, position) });
  }
  return all;
};

/** The status of a read model but for how far it is. */
const stateOf = async (
  documents: DocumentStore,
  { projection: { name, version }, collection, state }: ServedReadModel,
): Promise<Omit<ProjectionStatus, 'position' | 'lag' | 'rate'>> => {
  const serves = state === 'absent' ? null : { collection, version: versionOf(collection) };
  const { filling } = await readRecord(documents.tables, name);
  return {
    ...{ name, version, state, serves },
    // A rebuild that died after its swap may have left its record behind.
    rebuilding: serves !== null && filling?.collection === serves.collection ? null : filling,
    quarantined: await quarantinedOf(documents, collection),
  };
};

const quarantinedOf = async (
  { tables }: DocumentStore,
  collection: string,
): Promise<ProjectionStatus['quarantined']> => {
  const documents: ProjectionStatus['quarantined']['documents'][number][] = [];
  let count = 0;
  for await (const { key, eventId, position, error, after } of quarantinedIn(tables, collection)) {
    count += 1;
    if (documents.length < MAX_DOCUMENTS) documents.push({ key, eventId, position, error, after });
  }
  return { count, documents };
};
