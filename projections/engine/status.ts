import type { Clock } from '../../kernel/clock.ts';
import type { Position } from '../../kernel/event.ts';
import { pause } from '../../kernel/signals.ts';
import type { DocumentStore } from '../../stores/documents/port.ts';
import type { FoldPorts } from './foldLog.ts';
import { type Lag, lagReader, rangeReader, readerOf } from './lag.ts';
import { handledBy, type Projection } from './projection.ts';
import { type QuarantinedDocument, quarantinedIn } from './quarantine.ts';
import { checkpointsOf, servedReadModels, versionOf } from './readModels.ts';
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
/** The rate is measured over this time. */
const MEASURED_MS = 1_000;

/** The status of every projection; it takes one second. Throws `StoreUnavailable`. */
export const projectionStatus = async ({
  projections,
  log,
  documents,
  clock,
}: Ports): Promise<readonly ProjectionStatus[]> => {
  const { models, tables } = documents;
  const served = await servedReadModels(projections, models);
  const before = await checkpointsOf(served, models);
  await pause(MEASURED_MS, new AbortController().signal);
  const after = await checkpointsOf(served, models);
  const lags = await lagReader(log, models, clock.now(), MAX_LAG_EVENTS)(served.map(readerOf));
  const eventsBetween = rangeReader(log, MAX_RATE_EVENTS);
  const rateOf = async (projection: Projection, from: Position | null, to: Position | null) => {
    if (to === null || from === to) return 0;
    const handled = handledBy(projection);
    const events = await eventsBetween(from, to);
    return (events.filter(({ type }) => handled.includes(type)).length * 1_000) / MEASURED_MS;
  };
  const all: ProjectionStatus[] = [];
  for (const [n, { projection, collection, state }] of served.entries()) {
    const { name, version } = projection;
    const position = after[n] ?? null;
    const serves = state === 'absent' ? null : { collection, version: versionOf(collection) };
    const { filling } = await readRecord(tables, name);
    all.push({
      name,
      version,
      state,
      serves,
      position,
      lag: lags[name] ?? { seconds: 0, events: 0 },
      rate: await rateOf(projection, before[n] ?? null, position),
      // A rebuild that died after its swap may have left its record behind.
      rebuilding: serves !== null && filling?.collection === serves.collection ? null : filling,
      quarantined: await quarantinedOf(documents, collection),
    });
  }
  return all;
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
