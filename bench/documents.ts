import { type AnyBulkWriteOperation, type Db, MongoClient } from 'mongodb';
import { allProjections } from '../projections/all.ts';
import { foldPage } from '../projections/engine/fold.ts';
import { firstGeneration } from '../projections/engine/readModels.ts';
import { mongoDocumentStore } from '../stores/documents/mongodb.ts';
import type { DocumentStore, Fence, ReadModels, Stored, Write } from '../stores/documents/port.ts';
import { logged } from '../test/controls/events.ts';
import { historyOf } from '../test/controls/submission.ts';
import { ownDatabase } from './engineSettings.ts';
import { type Cost, compare, cost, type Goal, type Row, skipped } from './measure.ts';
import { optionsOf } from './options.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'read models written to MongoDB against a bare bulkWrite; needs MONGODB_URL';

const GOAL: Goal = {
  figure: 'P12',
  what: 'read models written to MongoDB',
  yardstick: 'a bare bulkWrite of the same documents',
  goal: 0.6,
};
const SUBMISSIONS = 40;
/** Events folded at once: documents are new on one page and change again on the next. */
const PAGE = 100;

/**
 * Measures writes of read models; `--rounds N` (default 15: a round takes 10 ms of processor time, and of
 * five the median still moves by half). Judged by processor time, since the server
 * may be FerretDB, which is not the one that is meant.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { rounds } = optionsOf(options, { rounds: 15 });
  const given = process.env.MONGODB_URL;
  if (given === undefined) {
    const remedy = 'scripts/engines npm run bench -- documents starts a server if the machine can';
    return [skipped(GOAL, `MONGODB_URL is not set; ${remedy}`)];
  }
  const url = ownDatabase(given);
  const client = new MongoClient(url, { writeConcern: { w: 'majority', journal: true } });
  const store = mongoDocumentStore({ url });
  const pages = await pagesOf(SUBMISSIONS);
  const documents = pages.flat().length;
  try {
    const fence = await store.leases.acquire('bench', 'bench', 3_600_000);
    if (!fence) throw new Error('another bench runs');
    const row = await compare(
      { ...GOAL, what: `${GOAL.what}: ${documents} writes in ${pages.length} pages`, by: 'cpu' },
      Math.max(5, rounds),
      (round) => bare(client.db(), pages, documents, `bare_${round}_`),
      (round) => through(store, fence, pages, documents, `ours_${round}_`),
    );
    return [row];
  } finally {
    await client.db().dropDatabase();
    await client.close();
    await store.close();
  }
};

/**
 * The writes that live projections make of so many submissions at once, page by page: new documents, and such
 * that change again.
 */
const pagesOf = async (count: number): Promise<readonly (readonly Write[])[]> => {
  const models = memoryModels();
  const pages: (readonly Write[])[] = [];
  const events = logged(interleaved(count));
  for (let first = 0; first < events.length; first += PAGE) {
    const page = events.slice(first, first + PAGE);
    const folded = await Promise.all(
      allProjections.map((projection) =>
        foldPage(
          firstGeneration(projection),
          page,
          models as Pick<ReadModels, 'stored'> as ReadModels,
          new Map(),
        ),
      ),
    );
    const writes = folded.flatMap((one) => one.writes);
    models.keep(writes);
    pages.push(writes);
  }
  return pages;
};

const interleaved = (count: number) => {
  const histories = Object.values(historyOf);
  const submissions = Array.from({ length: count }, (_, n) => {
    const submissionId = `sub_01JD7X3V9Q4M8K2N5P6R7S${String(n).padStart(4, '0')}`;
    const history = histories[n % histories.length] ?? [];
    return history.map((event) => ({ ...event, data: { ...event.data, submissionId } }) as typeof event);
  });
  const longest = Math.max(...submissions.map((history) => history.length));
  return Array.from({ length: longest }, (_, step) => submissions.flatMap((one) => one[step] ?? [])).flat();
};

/** What the projections have made so far, in memory. */
const memoryModels = () => {
  const kept = new Map<string, Stored<object>>();
  const stored = async <D>(collection: string, ids: readonly string[]) =>
    new Map(
      ids.flatMap((id) => {
        const found = kept.get(`${collection}/${id}`);
        return found ? [[id, found as Stored<D>] as const] : [];
      }),
    );
  const keep = (writes: readonly Write[]): void => {
    for (const { collection, id, position, document } of writes)
      kept.set(`${collection}/${id}`, { id, position, document });
  };
  return { stored, keep };
};

/**
 * The yardstick: the same documents as they are, by their ids, and nothing else: no position, no index, no
 * checkpoint, no lease.
 */
const bare = (
  database: Db,
  pages: readonly (readonly Write[])[],
  count: number,
  prefix: string,
): Promise<Cost> =>
  cost(count, async () => {
    for (const page of pages) {
      const operations = new Map<string, AnyBulkWriteOperation<{ _id: string }>[]>();
      for (const { collection, id, document } of page) {
        const replaceOne = { filter: { _id: id }, replacement: document ?? {}, upsert: true };
        operations.set(collection, [...(operations.get(collection) ?? []), { replaceOne }]);
      }
      await Promise.all(
        [...operations].map(([collection, own]) =>
          database.collection<{ _id: string }>(prefix + collection).bulkWrite(own, { ordered: false }),
        ),
      );
    }
  });

/**
 * Ours, as in live projections: each write names what was read before. The commit with its checkpoint is
 * measured.
 */
const through = async (
  { models }: DocumentStore,
  fence: Fence,
  pages: readonly (readonly Write[])[],
  count: number,
  prefix: string,
): Promise<Cost> => {
  const total = { elapsed: 0, cpu: 0 };
  for (const page of pages) {
    const writes = page.map((write) => ({ ...write, collection: prefix + write.collection }));
    const upTo = writes
      .map(({ position }) => position)
      .sort()
      .at(-1);
    const checkpoints = upTo ? { [`${prefix}bench`]: upTo } : {};
    const { elapsed, cpu } = await cost(count, () => models.commit(writes, checkpoints, fence));
    total.elapsed += elapsed;
    total.cpu += cpu;
  }
  return total;
};
