import { LeaseLost } from '../../errors.ts';
import type { Query, ReadModels, ResultPage, Write } from '../port.ts';
import { pageOf } from '../stretches.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { Connection, Named } from './client.ts';
import { CONTENT, type Kept, type Read, stored } from './documents.ts';
import { ensureIndexes } from './indexes.ts';
import { modelCollection, type Names } from './names.ts';
import { filterOf, searches } from './query.ts';
import { writeAll } from './writes.ts';

type Pieces = Readonly<{ connection: Connection; names: Names; checkpoints: Checkpoints }>;

/** Read models in MongoDB, a collection each. */
export const mongoReadModels = ({ connection, names, checkpoints }: Pieces): ReadModels => {
  const { database, run } = connection;
  const of = async (name: string): Promise<Named<Kept>> =>
    database.collection(modelCollection(await names.target(name)));

  const pageFrom = async <D>(documents: Named<Kept>, query: Query): Promise<ResultPage<D>> => {
    const found: D[] = [];
    for (const { filter, sort } of searches(query)) {
      // One more than asked for tells whether there is another page.
      const limit = query.limit + 1 - found.length;
      const options = { projection: CONTENT, sort, limit, singleBatch: true };
      for (const read of await documents.find<Read>(filter, options).toArray())
        found.push(JSON.parse(read.json ?? 'null') as D);
      if (found.length > query.limit) break;
    }
    return pageOf(found, query);
  };
  const write = async (writes: readonly Write[]): Promise<void> => {
    const targets = await names.targets([...new Set(writes.map(({ collection }) => collection))]);
    const own = new Map<string, Write[]>();
    for (const each of writes) {
      const target = targets.get(each.collection) ?? each.collection;
      own.set(target, [...(own.get(target) ?? []), each]);
    }
    await Promise.all([...own].map(([target, all]) => writeAll(database, target, all)));
  };
  return {
    get: <D>(collection: string, id: string) =>
      run(async () => {
        const read = await (await of(collection)).findOne<Read>({ _id: id }, { projection: CONTENT });
        return read && stored<D>(read).document;
      }),
    getMany: <D>(collection: string, ids: readonly string[]) =>
      run(async () => {
        const filter = { _id: { $in: [...ids] } };
        const found = await (await of(collection)).find<Read>(filter, { projection: CONTENT }).toArray();
        return new Map(found.map((read) => [read._id, stored<D>(read)]));
      }),
    page: <D>(collection: string, query: Query) => run(async () => pageFrom<D>(await of(collection), query)),
    ensure: (collection, indexes) =>
      run(async () => ensureIndexes(database, await names.target(collection), indexes), LONG_MS),
    alias: (name, target) =>
      run(async () => {
        if (target === undefined) return names.target(name);
        await names.point(name, target);
        return target;
      }),
    commit: (writes, positions, fence) =>
      run(async () => {
        if (!(await checkpoints.stands(fence))) throw new LeaseLost(fence.lease);
        await write(writes);
        if (Object.keys(positions).length > 0) await checkpoints.advance(positions, fence);
      }, LONG_MS),
    checkpoint: (name) => run(() => checkpoints.read(name)),
    count: (collection, where = {}, most) =>
      run(async () => {
        const options = most === undefined ? {} : { limit: most };
        return (await of(collection)).countDocuments(filterOf(where), options);
      }),
    drop: (collection) =>
      run(async () => {
        await (await of(collection)).drop();
      }),
  };
};

/** Pages of thousands of documents, and indexes of millions, take their time. */
const LONG_MS = 600_000;
