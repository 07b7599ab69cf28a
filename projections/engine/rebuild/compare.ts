import { changesBetween } from '../../../kernel/changes.ts';
import type { ReadModels, Write } from '../../../stores/documents/port.ts';
import type { Generation } from './registry.ts';

/** A rebuild's comparison before its swap. */
export type Comparison = Readonly<Awaited<ReturnType<typeof compare>>>;

const MAX_POINTERS = 10;

/**
 * Compares the old and the new collection: the number of documents (`before` is null where nothing served),
 * and those with these ids, but not those of another version. Differences are JSON Pointers without values,
 * which may be private.
 */
export const compare = async (
  models: ReadModels,
  { projection, collection, served }: Generation,
  ids: readonly string[],
  isSameVersion: boolean,
) => {
  const before = served === null ? null : await models.count(served);
  const documents = { before, after: await models.count(collection) };
  const { name } = projection;
  if (served === null || !isSameVersion) return { projection: name, documents, sampled: 0, differences: [] };
  const [old, made] = [await models.stored(served, ids), await models.stored(collection, ids)];
  const differences = ids.flatMap((id) => {
    const changes = changesBetween(old.get(id)?.document ?? null, made.get(id)?.document ?? null);
    const pointers = changes.map(({ pointer }) => pointer).slice(0, MAX_POINTERS);
    return pointers.length === 0 ? [] : [{ id, pointers }];
  });
  return { projection: name, documents, sampled: ids.length, differences };
};

/** A random sample of the documents that were written, at most `size` of each collection. */
export const createSample = (size: number, random: () => number) => {
  const drawn = new Map<string, { seen: number; ids: string[] }>();
  return {
    add: (writes: readonly Write[]): void => {
      for (const { collection, id, document } of writes) {
        if (document === null) continue;
        const own = drawn.get(collection) ?? { seen: 0, ids: [] };
        drawn.set(collection, own);
        own.seen += 1;
        const index = own.ids.length < size ? own.ids.length : Math.floor(random() * own.seen);
        if (index < size) own.ids[index] = id;
      }
    },
    /** The ids that were drawn of a collection. */
    of: (collection: string): readonly string[] => [...new Set(drawn.get(collection)?.ids)],
  };
};
