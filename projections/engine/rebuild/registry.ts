import { LeaseLost } from '../../../kernel/errors.ts';
import type { DocumentStore, ReadModels, Tables } from '../../../stores/documents/port.ts';
import type { Projection } from '../projection.ts';
import { quarantinedIn } from '../quarantine.ts';
import { collectionOf, type ReadModel, versionOf } from '../readModels.ts';

/** What is known of a projection's rebuilds. No collection's name serves twice: its checkpoint is never forgotten. */
export type RebuildRecord = Readonly<{
  /** The last generation of each version that was ever begun. */
  generations: Readonly<Record<number, number>>;
  /** The collection that a rebuild fills, and how many events it has read for that. */
  filling: Readonly<{ collection: string; events: number }> | null;
  /** Collections that serve no longer, to be dropped. */
  retired: readonly string[];
}>;

/** The lease of the one process that rebuilds. */
export const REBUILD_LEASE = 'rebuild';

const TABLE = 'rebuilds';
const EMPTY: RebuildRecord = { generations: {}, filling: null, retired: [] };

/** The book of a projection. */
export const readRecord = async (tables: Tables, name: string): Promise<RebuildRecord> =>
  (await tables.read<RebuildRecord>(TABLE, name))?.row ?? EMPTY;

/** Changes the book of a projection. Only who holds the lease of rebuilds may. */
export const updateRecord = async (
  tables: Tables,
  name: string,
  change: (book: RebuildRecord) => RebuildRecord,
): Promise<RebuildRecord> => {
  for (;;) {
    const found = await tables.read<RebuildRecord>(TABLE, name);
    const book = change(found?.row ?? EMPTY);
    const isKept = found
      ? await tables.replace(TABLE, name, found.version, book)
      : await tables.insert(TABLE, name, book);
    if (isKept) return book;
  }
};

/** A collection that a rebuild fills beside the one that serves (null: none does); `events`: how many of the log it has folded in already. */
export type Generation = ReadModel & Readonly<{ served: string | null; events: number }>;

/**
 * The collection that a rebuild of the projection goes on to fill: the one that an earlier rebuild of the same version has left unfinished, or a new one: if `anew`, and
 * where documents stand still in the unfinished one, for it may have been made by a build with a fault. What was filled in vain is retired.
 */
export const startGeneration = async (
  { models, tables }: Pick<DocumentStore, 'models' | 'tables'>,
  projection: Projection,
  served: string | null,
  anew: boolean,
): Promise<Generation> => {
  const { name, version } = projection;
  const { generations } = await readRecord(tables, name);
  const generation = await unusedGeneration(models, projection, (generations[version] ?? 0) + 1);
  const begun = (await readRecord(tables, name)).filling;
  const isSound = begun !== null && !(await holdsAny(tables, begun.collection));
  const { filling } = await updateRecord(tables, name, (book) => {
    const left = book.filling;
    const goesOn = isSound && !anew && left?.collection === begun.collection && left.collection !== served;
    if (goesOn && versionOf(left.collection) === version) return book;
    const vain = left && left.collection !== served ? [left.collection] : [];
    return {
      generations: { ...book.generations, [version]: generation },
      filling: { collection: collectionOf(projection, generation), events: 0 },
      retired: [...book.retired, ...vain],
    };
  });
  if (filling === null) throw new Error(`the rebuild of ${name} has not begun`);
  return { projection, served, ...filling };
};

const holdsAny = async (tables: Tables, collection: string): Promise<boolean> => {
  for await (const _ of quarantinedIn(tables, collection)) return true;
  return false;
};

/** The first generation from this one on that nothing was ever written to: the first collection of all begins without a book. */
const unusedGeneration = async (
  models: ReadModels,
  projection: Projection,
  generation: number,
): Promise<number> =>
  (await models.checkpoint(collectionOf(projection, generation))) === null
    ? generation
    : unusedGeneration(models, projection, generation + 1);

/** Notes how far a rebuild has come. Throws `LeaseLost` when another one has begun meanwhile. */
export const recordProgress = (
  tables: Tables,
  { projection, collection }: ReadModel,
  events: number,
): Promise<RebuildRecord> =>
  updateRecord(tables, projection.name, (book) => {
    if (book.filling?.collection !== collection) throw new LeaseLost(REBUILD_LEASE);
    return { ...book, filling: { collection, events } };
  });

/** Notes before its name is pointed elsewhere that a collection is about to serve no longer. */
export const retire = (tables: Tables, name: string, collection: string): Promise<RebuildRecord> =>
  updateRecord(tables, name, (book) => ({ ...book, retired: [...new Set([...book.retired, collection])] }));

/** Notes that the rebuild that filled a collection has ended. */
export const finishGeneration = (
  tables: Tables,
  { projection, collection }: ReadModel,
): Promise<RebuildRecord> =>
  updateRecord(tables, projection.name, (book) =>
    book.filling?.collection === collection ? { ...book, filling: null } : book,
  );
