import type { Position, Recorded } from '../../kernel/event.ts';
import type { ReadModels, Write } from '../../stores/documents/port.ts';
import { foldEvent } from './projection.ts';
import type { ReadModel } from './readModels.ts';

/** A document whose projection threw on an event: it is not folded from that event on. */
export type Quarantined = Readonly<{
  projection: string;
  collection: string;
  key: string;
  eventId: string;
  position: string;
  error: string;
}>;

/** By `quarantineKey`, the position from which on a document is not folded. */
type QuarantinedFrom = ReadonlyMap<string, string>;

type Folded = Readonly<{ writes: readonly Write[]; quarantined: readonly Quarantined[] }>;

/** Folds a page into all of these. */
export const foldAll = async (
  readModels: readonly ReadModel[],
  events: readonly Recorded[],
  models: Pick<ReadModels, 'stored'>,
  quarantinedFrom: QuarantinedFrom,
): Promise<Folded> => {
  // In parallel: answers wait for this, and each costs a round trip.
  const folded = await Promise.all(
    readModels.map((readModel) => foldPage(readModel, events, models, quarantinedFrom)),
  );
  return {
    writes: folded.flatMap(({ writes }) => writes),
    quarantined: folded.flatMap(({ quarantined }) => quarantined),
  };
};

/** The streams that some of these read, by the beginnings of their names. */
export const prefixesOf = (readModels: readonly ReadModel[]): readonly string[] => [
  ...new Set(readModels.flatMap(({ projection }) => projection.prefixes)),
];

/** The checkpoints of read models that have all reached a position. */
export const checkpointsAt = (
  readModels: readonly ReadModel[],
  position: Position,
): Readonly<Record<string, Position>> =>
  Object.fromEntries(readModels.map(({ collection }) => [collection, position]));

/** Folds a page of events into one write per document. A page delivered twice changes nothing. */
export const foldPage = async (
  readModel: ReadModel,
  events: readonly Recorded[],
  models: Pick<ReadModels, 'stored'>,
  quarantinedFrom: QuarantinedFrom,
): Promise<Folded> => {
  const { collection, projection } = readModel;
  const { answers, words } = projection;
  const made = { ...(answers && { answers }), ...(words && { words }) };
  const quarantined: Quarantined[] = [];
  const byKey = groupByKey(readModel, events, quarantinedFrom, quarantined);
  if (byKey.size === 0) return { writes: [], quarantined };
  const stored = await models.stored<object>(collection, [...byKey.keys()]);
  const writes: Write[] = [];
  for (const [key, touching] of byKey) {
    const before = stored.get(key);
    const fresh = before ? touching.filter((event) => event.position > before.position) : touching;
    const folded = foldDocument(readModel, key, before?.document ?? null, fresh);
    if (folded.write) writes.push({ collection, id: key, ...folded.write, ...made, before });
    if (folded.quarantined) quarantined.push(folded.quarantined);
  }
  return { writes, quarantined };
};

/** The name of a document in the quarantine: another generation of its read model starts without it. */
export const quarantineKey = (collection: string, key: string): string => `${collection}/${key}`;

const groupByKey = (
  readModel: ReadModel,
  events: readonly Recorded[],
  quarantinedFrom: QuarantinedFrom,
  quarantined: Quarantined[],
): ReadonlyMap<string, readonly Recorded[]> => {
  const { on } = readModel.projection;
  const groups = new Map<string, Recorded[]>();
  for (const event of events) {
    if (!Object.hasOwn(on, event.type)) continue;
    for (const key of keysOf(readModel, event, quarantined)) {
      const from = quarantinedFrom.get(quarantineKey(readModel.collection, key));
      if (from !== undefined && event.position >= from) continue;
      const group = groups.get(key);
      if (group) group.push(event);
      else groups.set(key, [event]);
    }
  }
  return groups;
};

/** The keys of an event. One without valid keys is quarantined as a document of its own. */
const keysOf = (readModel: ReadModel, event: Recorded, quarantined: Quarantined[]): readonly string[] => {
  try {
    const keys = readModel.projection.keys(event);
    if (keys.every((key) => typeof key === 'string' && key !== '')) return keys;
    throw new Error('it names no document');
  } catch (error) {
    quarantined.push(faultOf(readModel, `${UNPLACED}${event.id}`, event, error));
    return [];
  }
};

/** How the key of a quarantined event begins that has no document: only a rebuild can place it. */
export const UNPLACED = 'event ';

const faultOf = (
  { projection: { name: projection }, collection }: ReadModel,
  key: string,
  { id: eventId, position }: Recorded,
  error: unknown,
): Quarantined => ({ projection, collection, key, eventId, position, error: String(error) });

const foldDocument = (
  readModel: ReadModel,
  key: string,
  before: object | null,
  events: readonly Recorded[],
): { write?: Pick<Write, 'position' | 'document'>; quarantined?: Quarantined } => {
  let document = before;
  let last: Recorded | undefined;
  // What a fold gave back as it was is not written. A document that has become null is, as a deletion marker:
  // else an older page of a runner that has lost its lease could bring back what was made and removed within
  // this one.
  const written = () => (last ? { write: { position: last.position, document } } : {});
  for (const event of events) {
    try {
      const folded = foldEvent(readModel.projection.on, document, event, key) as object | null;
      if (folded !== document) last = event;
      document = folded;
    } catch (error) {
      return { ...written(), quarantined: faultOf(readModel, key, event, error) };
    }
  }
  return written();
};
