import type { Recorded } from '../../kernel/event.ts';
import type { ReadModels, Write } from '../../stores/documents/port.ts';
import { foldEvent, handledBy } from './projection.ts';
import type { ReadModel } from './readModels.ts';

/** A document whose projection threw on an event: it is held at that event, others go on. */
export type Quarantined = Readonly<{
  projection: string;
  collection: string;
  key: string;
  eventId: string;
  position: string;
  error: string;
}>;

/** The position from which on each quarantined document is held. */
export type QuarantinedFrom = ReadonlyMap<string, string>;

export type Folded = Readonly<{ writes: readonly Write[]; quarantined: readonly Quarantined[] }>;

/**
 * Folds a page of events into one write per document. Events not newer than their document are dropped, so that a page
 * delivered twice changes nothing; documents in `held` (by `quarantineKey`) stand still from the position given there on.
 */
export const foldPage = async (
  target: ReadModel,
  events: readonly Recorded[],
  models: Pick<ReadModels, 'stored'>,
  held: QuarantinedFrom,
): Promise<Folded> => {
  const { collection } = target;
  const quarantined: Quarantined[] = [];
  const byKey = groupByKey(target, events, held, quarantined);
  if (byKey.size === 0) return { writes: [], quarantined };
  const stored = await models.stored<object>(collection, [...byKey.keys()]);
  const writes: Write[] = [];
  for (const [key, touching] of byKey) {
    const before = stored.get(key);
    const fresh = before ? touching.filter((event) => event.position > before.position) : touching;
    const folded = foldDocument(target, key, before?.document ?? null, fresh);
    if (folded.write) writes.push({ collection, id: key, ...folded.write });
    if (folded.quarantined) quarantined.push(folded.quarantined);
  }
  return { writes, quarantined };
};

/** How a quarantined document is named among those held: another generation of its read model begins anew. */
export const quarantineKey = (collection: string, key: string): string => `${collection}/${key}`;

const groupByKey = (
  { projection, collection }: ReadModel,
  events: readonly Recorded[],
  held: QuarantinedFrom,
  quarantined: Quarantined[],
): ReadonlyMap<string, readonly Recorded[]> => {
  const handled = new Set(handledBy(projection));
  const groups = new Map<string, Recorded[]>();
  for (const event of events) {
    if (!handled.has(event.type)) continue;
    for (const key of keysOf({ projection, collection }, event, quarantined)) {
      const heldFrom = held.size === 0 ? undefined : held.get(quarantineKey(collection, key));
      if (heldFrom !== undefined && event.position >= heldFrom) continue;
      const group = groups.get(key);
      if (group) group.push(event);
      else groups.set(key, [event]);
    }
  }
  return groups;
};

/** The documents that an event touches. One that can't be placed is quarantined by itself, as a document of that name: all others go on. */
const keysOf = (
  { projection, collection }: ReadModel,
  event: Recorded,
  quarantined: Quarantined[],
): readonly string[] => {
  try {
    const keys = projection.keys(event);
    if (keys.every((key) => typeof key === 'string' && key !== '')) return keys;
    throw new Error('it names no document');
  } catch (error) {
    const { id: eventId, position } = event;
    const place = { projection: projection.name, collection, key: `${UNPLACED}${eventId}` };
    quarantined.push({ ...place, eventId, position, error: String(error) });
    return [];
  }
};

/** How the key begins of what is quarantined without being a document: only a rebuild can place it. */
export const UNPLACED = 'event ';

const foldDocument = (
  { projection, collection }: ReadModel,
  key: string,
  before: object | null,
  events: readonly Recorded[],
): { write?: Pick<Write, 'position' | 'document'>; quarantined?: Quarantined } => {
  let document = before;
  let last: Recorded | undefined;
  for (const event of events) {
    try {
      document = foldEvent(projection.on, document, event, key) as object | null;
      last = event;
    } catch (error) {
      const { id: eventId, position } = event;
      const place = { projection: projection.name, collection, key };
      const quarantined = { ...place, eventId, position, error: String(error) };
      return last ? { write: { position: last.position, document }, quarantined } : { quarantined };
    }
  }
  if (!last) return {};
  // Also where there was and is none: without that marker an older page, written by a runner that has lost its lease, would bring
  // back a document that was made and removed within this one.
  return { write: { position: last.position, document } };
};
