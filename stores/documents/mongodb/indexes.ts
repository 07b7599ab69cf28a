import type { Index, Words } from '../port.ts';
import type { Document, Named } from './client.ts';
import type { StoredDocument } from './documents.ts';
import { isMissing } from './failures.ts';
import { groupIn, keysOf, keysOfWords } from './query.ts';

/** Creates indexes that are missing or have changed; of two with the same keys one, as MongoDB demands. */
export const ensureIndexes = async (
  documents: Named<StoredDocument>,
  indexes: readonly Index[],
  words?: Words,
): Promise<void> => {
  const present = await listIndexes(documents);
  if (words && !present.some(({ name }) => name === WORDS))
    await documents.createIndex(keysOfWords(words), { name: WORDS });
  for (const { name, sort } of indexes) {
    const key = keysOf(sort);
    if (present.some((one) => JSON.stringify(one.key) === JSON.stringify(key))) continue;
    if (present.some((one) => one.name === name)) await documents.dropIndex(name).catch(unlessMissing);
    await documents.createIndex(key, { name });
    present.push({ name, key });
  }
};

/** No index of `ensure` is named so. */
const WORDS = '_words';

/**
 * The paths of the group within which documents of a collection are found by words; null where they have
 * none. Where there is no such collection there is no group either.
 */
export const wordsWithin = async (documents: Named<StoredDocument>): Promise<readonly string[] | null> => {
  const present = await listIndexes(documents);
  if (present.length === 0) return [];
  const index = present.find(({ name }) => name === WORDS);
  return index ? groupIn(index.key as Document) : null;
};

/** The keys that documents of a queue are claimed by. Only what waits is found by them. */
const QUEUE = { waits: 1, 'values.lane': 1, 'values.dueAt': 1, _id: 1 } as const;

/** The keys by which a query of a queue finds whether anything is due. */
const DUE = { waits: 1, 'values.dueAt': 1 } as const;

/** Creates the indexes to claim by, one by one: FerretDB drops a connection that creates existing ones. */
export const ensureQueue = async (documents: Named<StoredDocument>): Promise<void> => {
  await documents.createIndex(QUEUE, { name: '_queue' });
  await documents.createIndex(DUE, { name: '_due' });
};

const listIndexes = async (documents: Named<StoredDocument>): Promise<Document[]> => {
  try {
    return await documents.listIndexes().toArray();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

const unlessMissing = (error: unknown): void => {
  if (!isMissing(error)) throw error;
};
