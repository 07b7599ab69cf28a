import type { Position } from '../../../kernel/event.ts';
import type { Write } from '../port.ts';
import { type Named, sizeOf } from './client.ts';
import { encodeDocument, type StoredDocument } from './documents.ts';
import { isDuplicate } from './failures.ts';

/** How many documents one request writes: so many are done well within its timeout. */
const AT_ONCE = 500;

/**
 * Writes documents of one collection, each only where the stored position is older: those that their writer
 * has read are replaced on that condition, the rest are inserted. Where that was wrong the write fails:
 * another document is there, newer or older, or has just come. So it is read, and whatever is older is
 * written again.
 */
export const writeAll = async (documents: Named<StoredDocument>, writes: readonly Write[]): Promise<void> => {
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

const writeSome = async (documents: Named<StoredDocument>, writes: readonly Write[]): Promise<void> => {
  const read = writes.filter(({ before }) => before !== undefined).map(({ id }) => id);
  for (let open = writes, there: ReadonlySet<string> = new Set(read); open.length > 0; ) {
    const changes = open.map((write) => (there.has(write.id) ? replacement(write) : insertion(write)));
    try {
      await documents.bulkWrite(changes, { ordered: false });
      return;
    } catch (error) {
      if (!isDuplicate(error)) throw tooLarge(open) ?? error;
    }
    const positions = await positionsOf(documents, open);
    open = open.filter(({ id, position }) => (positions.get(id) ?? '') < position);
    there = new Set(positions.keys());
  }
};

const positionsOf = async (
  documents: Named<StoredDocument>,
  writes: readonly Write[],
): Promise<ReadonlyMap<string, Position>> => {
  const filter = { _id: { $in: writes.map(({ id }) => id) } };
  const found = await documents.find(filter, { projection: { _position: 1 } }).toArray();
  return new Map(found.map(({ _id, _position }) => [_id, _position]));
};

const insertion = (write: Write) => ({
  insertOne: { document: { _id: write.id, ...encodeDocument(write) } },
});

// A newer document lets the upsert fail; after a drop it inserts.
const replacement = (write: Write) => ({
  replaceOne: {
    filter: { _id: write.id, _position: { $lt: write.position } },
    replacement: encodeDocument(write),
    upsert: true,
  },
});

/** What a document may have, less its `_id`. */
const MAX_BYTES = 16 * 1024 * 1024 - 4_096;

/** The error that names a document which MongoDB can't hold, if it is among these. */
const tooLarge = (writes: readonly Write[]): Error | undefined => {
  const large = writes.find((write) => sizeOf(encodeDocument(write)) > MAX_BYTES);
  return (
    large &&
    new Error(`the document ${large.id} of ${large.collection} is larger than the 16 MB that MongoDB holds`)
  );
};
