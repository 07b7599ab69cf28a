import { ReadModelNotBuilt } from '../../../kernel/errors.ts';
import { groupBy } from '../../../kernel/groupBy.ts';
import { pageOf } from '../indexRanges.ts';
import type { Query, ReadModels, ResultPage } from '../port.ts';
import { fixedAt } from '../words.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { Connection, Named } from './client.ts';
import { CONTENT, decodeDocument, type Read, type StoredDocument, stored } from './documents.ts';
import { ensureIndexes, wordsWithin } from './indexes.ts';
import { modelCollection, type Names } from './names.ts';
import { filterOf, searches } from './query.ts';
import { writeAll } from './writes.ts';

type Parts = Readonly<{ connection: Connection; names: Names; checkpoints: Checkpoints }>;

/** Read models in MongoDB, a collection each. */
export const mongoReadModels = ({ connection, names, checkpoints }: Parts): ReadModels => {
  const { database, run } = connection;
  const documentsIn = (target: string): Named<StoredDocument> => database.collection(modelCollection(target));
  const lookUp = lookingUp(names);
  const within = <T>(name: string, read: (documents: Named<StoredDocument>) => Promise<T>): Promise<T> =>
    run(() => lookUp(name, (target) => read(documentsIn(target))));
  const getMany = async <D>(name: string, ids: readonly string[]): Promise<ReadonlyMap<string, D>> => {
    const found = await within(name, (documents) => readMany(documents, ids));
    return new Map(
      found.flatMap((read) => {
        const document = decodeDocument<D>(read);
        return document === null ? [] : [[read._id, document]];
      }),
    );
  };
  return {
    get: async <D>(name: string, id: string) => (await getMany<D>(name, [id])).get(id) ?? null,
    getMany,
    page: <D>(name: string, query: Query) =>
      within(name, async (documents) => {
        await requireWords(name, documents, query);
        return pageFrom<D>(documents, query);
      }),
    answers: (name, ids, which) => within(name, (documents) => answersOf(documents, ids, which)),
    answerPage: (name, which, query) =>
      within(name, async (documents) => {
        await requireWords(name, documents, query);
        return pageOfAnswers(documents, which, query);
      }),
    count: (name, where = {}, limit) =>
      within(name, (all) => all.countDocuments(filterOf(where), limit === undefined ? {} : { limit })),
    stored: <D>(collection: string, ids: readonly string[]) =>
      run(async () => {
        const found = await readMany(documentsIn(collection), ids, { readConcern: NEWEST });
        return new Map(found.map((read) => [read._id, stored<D>(read)]));
      }),
    ensure: (collection, indexes, { words } = {}) =>
      run(() => ensureIndexes(documentsIn(collection), indexes, words), INDEXING_MS),
    alias: (name, target, fence) =>
      run(async () => {
        if (target === undefined) return names.target(name);
        if (fence) await checkpoints.check(fence);
        await names.point(name, target);
        return target;
      }),
    aliases: (own) => run(() => names.targets(own)),
    commit: (writes, positions, fence) =>
      run(async () => {
        // What a late writer writes is what any other would have: it is the checkpoints' update that checks
        // the fence.
        const moves = Object.keys(positions).length > 0;
        if (!moves) await checkpoints.check(fence);
        await Promise.all(
          [...groupBy(writes, ({ collection }) => collection)].map(([collection, all]) =>
            writeAll(documentsIn(collection), all),
          ),
        );
        // Most without documents are reactors', which no request waits for.
        if (moves) await checkpoints[writes.length > 0 ? 'advance' : 'advanceSoon'](positions, fence);
      }, COMMIT_MS),
    checkpoint: (name) => run(async () => (await checkpoints.read([name]))[0] ?? null),
    checkpoints: (names) => run(() => checkpoints.read(names)),
    drop: (collection) => run(async () => void (await documentsIn(collection).drop())),
  };
};

/**
 * A fold needs the newest document. A primary that has just been elected may answer a majority read with an
 * older one, since it does not know yet what a majority has; its own data is never behind an acknowledged
 * write.
 */
const NEWEST = { level: 'local' } as const;

const requireWords = async (
  name: string,
  documents: Named<StoredDocument>,
  { words = [], where }: Query,
): Promise<void> => {
  if (words.length === 0) return;
  const within = await wordsWithin(documents);
  if (within === null) throw new ReadModelNotBuilt(name);
  fixedAt(within, where);
};

const readMany = (
  documents: Named<StoredDocument>,
  ids: readonly string[],
  options: Readonly<{ readConcern?: typeof NEWEST }> = {},
): Promise<Read[]> => {
  const all = { projection: CONTENT, batchSize: ids.length + 1, ...options };
  return documents.find<Read>(amongIds(ids), all).toArray();
};

/** A single document has a query of its own: FerretDB reads all of a collection for a list. */
const amongIds = (ids: readonly string[]) => ({ _id: (ids.length === 1 && ids[0]) || { $in: [...ids] } });

/** For pages of thousands of documents, and indexes of millions. */
const COMMIT_MS = 60_000;
const INDEXING_MS = 600_000;

/**
 * Gives what `read` finds in the collection that a name means. The target is resolved again afterwards: if
 * the name was pointed elsewhere, what was read may be an old state, or dropped, which a server may also
 * answer with an error.
 */
const lookingUp = (names: Names) => {
  const targets = new Map<string, string>();
  return async <T>(name: string, read: (target: string) => Promise<T>): Promise<T> => {
    for (;;) {
      const target = targets.get(name) ?? name;
      const found = read(target);
      const current = await found.catch(unlessUnreachable).then(() => names.target(name));
      if (current === target) return found;
      targets.set(name, current);
    }
  };
};

const unlessUnreachable = (error: Error): void => {
  if (error.name !== 'MongoServerError') throw error;
};

const answersOf = async (
  documents: Named<StoredDocument>,
  ids: readonly string[],
  which: string,
): Promise<readonly (string | null)[]> => {
  const found = await documents.find(amongIds(ids), { projection: { [`answers.${which}`]: 1 } }).toArray();
  const texts = new Map(found.map(({ _id, answers }) => [_id as string, answers?.[which]]));
  return ids.map((id) => texts.get(id) ?? null);
};

const pageOfAnswers = async (
  documents: Named<StoredDocument>,
  which: string,
  query: Query,
): Promise<ResultPage<string> | null> => {
  const found = await matching<StoredDocument>(documents, query, { [`answers.${which}`]: 1 });
  const texts = found.flatMap(({ answers }) => answers?.[which] ?? []);
  return texts.length < found.length ? null : pageOf(texts, query, JSON.parse);
};

const pageFrom = async <D>(documents: Named<StoredDocument>, query: Query): Promise<ResultPage<D>> =>
  pageOf(
    (await matching<Read>(documents, query, CONTENT)).map((read) => decodeDocument<D>(read) as D),
    query,
  );

/** The documents of a page, and one more if there is another page. */
const matching = async <R extends object>(
  documents: Named<StoredDocument>,
  query: Query,
  projection: Readonly<Record<string, 1>>,
): Promise<readonly R[]> => {
  const found: R[] = [];
  for (const { filter, sort } of searches(query)) {
    // All come at once: the first batch would be 101 documents.
    const limit = query.limit + 1 - found.length;
    const options = { projection, sort, limit, batchSize: limit };
    found.push(...(await documents.find<R>(filter, options).toArray()));
    if (found.length > query.limit) break;
  }
  return found;
};
