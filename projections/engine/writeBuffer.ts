import type { ReadModels, Stored, Write } from '../../stores/documents/port.ts';

/** Collects the writes of several pages, so that each document is written once for all of them. */
export const createWriteBuffer = (models: Pick<ReadModels, 'stored'>) => {
  const buffered = new Map<string, Map<string, Write>>();
  const of = (collection: string): Map<string, Write> => {
    const own = buffered.get(collection) ?? new Map<string, Write>();
    buffered.set(collection, own);
    return own;
  };
  return {
    /** The stored documents as they will be once the buffered writes are committed. */
    stored: async <D>(
      collection: string,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, Stored<D>>> => {
      const own = of(collection);
      const elsewhere = ids.filter((id) => !own.has(id));
      const found = new Map(elsewhere.length === 0 ? [] : await models.stored<D>(collection, elsewhere));
      for (const id of ids) {
        const write = own.get(id);
        if (write) found.set(id, write as Stored<D>);
      }
      return found;
    },
    add: (writes: readonly Write[]): void => {
      for (const write of writes) of(write.collection).set(write.id, write);
    },
    /** Empties the buffer and returns its writes. */
    flush: (): readonly Write[] => {
      const writes = [...buffered.values()].flatMap((own) => [...own.values()]);
      buffered.clear();
      return writes;
    },
  };
};
