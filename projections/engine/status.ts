import type { Clock } from '../../kernel/clock.ts';
import type { Position } from '../../kernel/event.ts';
import { pause } from '../../kernel/signals.ts';
import type { DocumentStore } from '../../stores/documents/port.ts';
import type { EventLog } from '../../stores/events/log.ts';
import { type Lag, lagReader, readerOf } from './lag.ts';
import { handledBy, type Projection } from './projection.ts';
import { type QuarantinedDocument, quarantinedIn } from './quarantine.ts';
import { servedReadModels, versionOf } from './readModels.ts';
import { type RebuildRecord, readRecord } from './rebuild/registry.ts';

/** How a projection stands. `version` is the one that this release makes. */
export type ProjectionStatus = Readonly<{
  name: string;
  version: number;
  /** live: kept up to date; outdated: another version serves, as it was; absent: none serves yet; newer: a newer release has made it. */
  state: 'live' | 'outdated' | 'absent' | 'newer';
  serves: Readonly<{ collection: string; version: number }> | null;
  position: Position | null;
  /** Events that it handles and does not show, counted among the next 10,000 of the log. */
  lag: Lag;
  /** Events a second that it has taken in just now. */
  rate: number;
  /** What a rebuild, under way or cancelled, has filled so far. */
  rebuilding: RebuildRecord['filling'];
  quarantined: Readonly<{
    count: number;
    documents: readonly Omit<QuarantinedDocument, 'projection' | 'collection'>[];
  }>;
}>;

type Ports = Readonly<{
  projections: readonly Projection[];
  log: EventLog;
  documents: DocumentStore;
  clock: Clock;
}>;

const MOST_EVENTS = 10_000;
/** Of more quarantined documents only the number is told. */
const MOST_HELD = 20;
/** The rate is what happens in this time. */
const LOOK_MS = 1_000;

/** How every projection stands, after a look of one second. Throws `StoreUnavailable`. */
export const projectionStatus = async ({
  projections,
  log,
  documents,
  clock,
}: Ports): Promise<readonly ProjectionStatus[]> => {
  const { models, tables } = documents;
  const served = await servedReadModels(projections, models);
  const collections = served.map(({ collection }) => collection);
  const before = await models.checkpoints(collections);
  await pause(LOOK_MS, new AbortController().signal);
  const after = await models.checkpoints(collections);
  const lagsOf = lagReader(log, models, clock.now(), MOST_EVENTS);
  const lags = await lagsOf(served.map(readerOf));
  const passed = countPassed(log);
  const all: ProjectionStatus[] = [];
  for (const [n, { projection, collection, age }] of served.entries()) {
    const position = after[n] ?? null;
    all.push({
      name: projection.name,
      version: projection.version,
      state: STATES[age],
      serves: age === 'absent' ? null : { collection, version: versionOf(collection) },
      position,
      lag: lags[projection.name] ?? { seconds: 0, events: 0 },
      rate: ((await passed(projection, before[n] ?? null, position)) * 1_000) / LOOK_MS,
      rebuilding: unfinished(await readRecord(tables, projection.name), age === 'absent' ? null : collection),
      quarantined: await heldIn(documents, collection),
    });
  }
  return all;
};

/** Who died between the swap and his book has left nothing to do. */
const unfinished = ({ filling }: RebuildRecord, serves: string | null): RebuildRecord['filling'] =>
  filling?.collection === serves ? null : filling;

const STATES = { current: 'live', older: 'outdated', absent: 'absent', newer: 'newer' } as const;

/** Counts the events that a projection handles between two positions; most have passed the same ones, which are read once. */
const countPassed = (log: EventLog) => {
  const seen = new Map<string, Promise<readonly string[]>>();
  return async (projection: Projection, from: Position | null, to: Position | null): Promise<number> => {
    if (to === null || from === to) return 0;
    const handled = handledBy(projection);
    const name = `${from} ${to}`;
    const types = seen.get(name) ?? typesBetween(log, from, to);
    seen.set(name, types);
    return (await types).filter((type) => handled.includes(type)).length;
  };
};

const typesBetween = async (
  log: EventLog,
  from: Position | null,
  to: Position,
): Promise<readonly string[]> => {
  const { signal } = new AbortController();
  const types: string[] = [];
  for await (const { events, upTo } of log.follow(from, { prefixes: [''], page: 1_000, signal })) {
    for (const { type, position } of events) if (position <= to) types.push(type);
    if (upTo >= to || types.length >= MOST_PASSED) break;
  }
  return types;
};

const MOST_PASSED = 100_000;

const heldIn = async (
  { tables }: DocumentStore,
  collection: string,
): Promise<ProjectionStatus['quarantined']> => {
  const documents: ProjectionStatus['quarantined']['documents'][number][] = [];
  let count = 0;
  for await (const { key, eventId, position, error, after } of quarantinedIn(tables, collection)) {
    count += 1;
    if (documents.length < MOST_HELD) documents.push({ key, eventId, position, error, after });
  }
  return { count, documents };
};
