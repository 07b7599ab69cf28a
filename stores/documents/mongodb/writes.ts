import type { Write } from '../port.ts';
import type { Db, Named } from './client.ts';
import { type Kept, keep } from './documents.ts';
import { isDuplicate } from './failures.ts';
import { modelCollection } from './names.ts';

/** How many documents go to the server at once: so many are written well within its patience. */
const AT_ONCE = 500;

/**
 * Writes documents of one collection, each only where the stored position is older. A document that stands there already lets its upsert fail, which says that
 * it is newer, or that another writer was quicker with an older one: whatever is still older after that is written again.
 */
export const writeAll = async (database: Db, collection: string, writes: readonly Write[]): Promise<void> => {
  const documents: Named<Kept> = database.collection(modelCollection(collection));
  const newest = [...new Map(writes.toSorted(byPosition).map((write) => [write.id, write])).values()];
  for (let first = 0; first < newest.length; first += AT_ONCE)
    await writeSome(documents, newest.slice(first, first + AT_ONCE));
};

const byPosition = (a: Write, b: Write): number => (a.position < b.position ? -1 : 1);

const writeSome = async (documents: Named<Kept>, writes: readonly Write[]): Promise<void> => {
  let open = writes;
  while (open.length > 0) {
    try {
      await documents.bulkWrite(open.map(guarded), { ordered: false });
      return;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      open = await olderThan(documents, open);
    }
  }
};

const guarded = ({ id, position, document }: Write) => ({
  replaceOne: {
    filter: { _id: id, _position: { $lt: position } },
    replacement: keep(position, document),
    upsert: true,
  },
});

/** The writes whose documents are still older, or not there. */
const olderThan = async (documents: Named<Kept>, writes: readonly Write[]): Promise<readonly Write[]> => {
  const filter = { _id: { $in: writes.map(({ id }) => id) } };
  const found = await documents.find(filter, { projection: { _position: 1 } }).toArray();
  const positions = new Map(found.map(({ _id, _position }) => [_id, _position]));
  return writes.filter(({ id, position }) => (positions.get(id) ?? '') < position);
};
