import type { DocumentStore, ReadModels, Tables } from '../../stores/documents/port.ts';
import type { Projection } from '../projection.ts';
import { collectionOf, type Target, versionOf } from '../targets.ts';

/** What is known of a projection's rebuilds. No collection's name serves twice: its checkpoint is never forgotten. */
export type Book = Readonly<{
  /** The last generation of each version that was ever begun. */
  generations: Readonly<Record<number, number>>;
  /** The collection that a rebuild fills, and how many events it has read for that. */
  filling: Readonly<{ collection: string; events: number }> | null;
  /** Collections that serve no longer, to be dropped. */
  retired: readonly string[];
}>;

const TABLE = 'rebuilds';
const EMPTY: Book = { generations: {}, filling: null, retired: [] };

/** The book of a projection. */
export const readBook = async (tables: Tables, name: string): Promise<Book> =>
  (await tables.read<Book>(TABLE, name))?.row ?? EMPTY;

/** Changes the book of a projection. Only who holds the lease of rebuilds may. */
export const changeBook = async (
  tables: Tables,
  name: string,
  change: (book: Book) => Book,
): Promise<Book> => {
  for (;;) {
    const found = await tables.read<Book>(TABLE, name);
    const book = change(found?.row ?? EMPTY);
    const isKept = found
      ? await tables.replace(TABLE, name, found.version, book)
      : await tables.insert(TABLE, name, book);
    if (isKept) return book;
  }
};

/** A collection that a rebuild fills beside the one that serves (null: none does); `events`: how many of the log it has folded in already. */
export type Generation = Target & Readonly<{ served: string | null; events: number }>;

/**
 * The collection that a rebuild of the projection goes on to fill: the one that an earlier rebuild of the same version has left unfinished, unless `anew`,
 * or a new one. What an earlier one has filled in vain is retired.
 */
export const beginGeneration = async (
  { models, tables }: Pick<DocumentStore, 'models' | 'tables'>,
  projection: Projection,
  served: string | null,
  anew: boolean,
): Promise<Generation> => {
  const { name, version } = projection;
  const { generations } = await readBook(tables, name);
  const generation = await unusedGeneration(models, projection, (generations[version] ?? 0) + 1);
  const { filling } = await changeBook(tables, name, (book) => {
    const left = book.filling;
    if (left && left.collection !== served && versionOf(left.collection) === version && !anew) return book;
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

/** The first generation from this one on that nothing was ever written to: the first collection of all begins without a book. */
const unusedGeneration = async (
  models: ReadModels,
  projection: Projection,
  generation: number,
): Promise<number> =>
  (await models.checkpoint(collectionOf(projection, generation))) === null
    ? generation
    : unusedGeneration(models, projection, generation + 1);

/** Notes how far a rebuild has come. */
export const noteEvents = (
  tables: Tables,
  { projection, collection }: Target,
  events: number,
): Promise<Book> =>
  changeBook(tables, projection.name, (book) => ({ ...book, filling: { collection, events } }));

/** Notes before its name is pointed elsewhere that a collection is about to serve no longer. */
export const retire = (tables: Tables, name: string, collection: string): Promise<Book> =>
  changeBook(tables, name, (book) => ({ ...book, retired: [...new Set([...book.retired, collection])] }));

/** Notes that a rebuild has ended. */
export const endGeneration = (tables: Tables, name: string): Promise<Book> =>
  changeBook(tables, name, (book) => ({ ...book, filling: null }));
