import type { Position } from '../../../domain/kernel.ts';
import type { Write } from '../port.ts';
import type { Named } from './client.ts';
import { type Kept, keep } from './documents.ts';
import { isDuplicate } from './failures.ts';

/** How many documents go to the server at once: so many are written well within its patience. */
const AT_ONCE = 500;

/**
 * Writes documents of one collection, each only where the stored position is older: what is not there is inserted, the rest replaced on that condition. A document that
 * has come meanwhile lets its write fail, which says that it is newer, or that another writer was quicker with an older one: so it is looked at again.
 */
export const writeAll = async (documents: Named<Kept>, writes: readonly Write[]): Promise<void> => {
  const newest = newestOf(writes);
  for (let first = 0; first < newest.length; first += AT_ONCE)
    await writeSome(documents, newest.slice(first, first + AT_ONCE));
};

/** Of several writes of one document the newest: they would race within one request. */
const newestOf = (writes: readonly Write[]): readonly Write[] => {
  const newest = new Map<string, Write>();
  for (const write of writes) {
    const other = newest.get(write.id);
    if (!other || other.position < write.position) newest.set(write.id, write);
  }
  return [...newest.values()];
};

const writeSome = async (documents: Named<Kept>, writes: readonly Write[]): Promise<void> => {
  for (;;) {
    const positions = await positionsOf(documents, writes);
    const open = writes.filter(({ id, position }) => (positions.get(id) ?? '') < position);
    if (open.length === 0) return;
    const changes = open.map((write) => (positions.has(write.id) ? replacement(write) : insertion(write)));
    try {
      await documents.bulkWrite(changes, { ordered: false });
      return;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }
};

const positionsOf = async (
  documents: Named<Kept>,
  writes: readonly Write[],
): Promise<ReadonlyMap<string, Position>> => {
  const filter = { _id: { $in: writes.map(({ id }) => id) } };
  const found = await documents.find(filter, { projection: { _position: 1 } }).toArray();
  return new Map(found.map(({ _id, _position }) => [_id, _position]));
};

const insertion = ({ id, position, document }: Write) => ({
  insertOne: { document: { _id: id, ...keep(position, document) } },
});

// Should the collection be dropped meanwhile, the document is there all the same.
const replacement = ({ id, position, document }: Write) => ({
  replaceOne: {
    filter: { _id: id, _position: { $lt: position } },
    replacement: keep(position, document),
    upsert: true,
  },
});
