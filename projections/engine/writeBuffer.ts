import type { ReadModels, Stored, Write } from '../../stores/documents/port.ts';

/** Documents as the pages of a rebuild leave them, until they are committed together: each is written once for all these pages. */
export const createWriteBuffer = (models: Pick<ReadModels, 'stored'>) => {
  const buffer = new Map<string, Map<string, Write>>();
  const of = (collection: string): Map<string, Write> => {
    const own = buffer.get(collection) ?? new Map<string, Write>();
    buffer.set(collection, own);
    return own;
  };
  return {
    /** As the read models' own, with what is buffer here in front. */
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
    /** All that was buffer; it begins anew. */
    take: (): readonly Write[] => {
      const writes = [...buffer.values()].flatMap((own) => [...own.values()]);
      buffer.clear();
      return writes;
    },
  };
};
