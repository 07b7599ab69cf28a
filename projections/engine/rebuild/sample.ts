import type { Write } from '../../../stores/documents/port.ts';

/** A sample of the documents that were written, drawn evenly over all writes of one: at most `size` of each collection. */
export const createSample = (size: number, random: () => number) => {
  const drawn = new Map<string, { seen: number; ids: string[] }>();
  return {
    add: (writes: readonly Write[]): void => {
      for (const { collection, id, document } of writes) {
        // Markers of what was there for a moment would fill it.
        if (document === null) continue;
        const own = drawn.get(collection) ?? { seen: 0, ids: [] };
        drawn.set(collection, own);
        own.seen += 1;
        const place = own.ids.length < size ? own.ids.length : Math.floor(random() * own.seen);
        if (place < size) own.ids[place] = id;
      }
    },
    /** The identifiers that were drawn of a collection. */
    of: (collection: string): readonly string[] => [...new Set(drawn.get(collection)?.ids)],
  };
};
