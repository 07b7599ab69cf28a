import type { KeyedRow, Row, RowOptions, Tables } from '../port.ts';
import type { Connection, Named } from './client.ts';
import { isDuplicate } from './failures.ts';
import { tableCollection } from './names.ts';

/** A row as it is stored: its JSON as text, so that it comes back exactly. */
type StoredRow = Readonly<{ version: number; json: string }>;

const rowOf = <R>({ version, json }: StoredRow): Row<R> => ({ row: JSON.parse(json) as R, version });

/** Tables in MongoDB, a collection each, by key. */
export const mongoTables = ({ database, run }: Connection): Tables => {
  const of = (table: string): Named<StoredRow> => database.collection(tableCollection(table));
  return {
    read: <R>(table: string, key: string): Promise<Row<R> | null> =>
      run(async () => {
        const found = await of(table).findOne({ _id: key });
        return found && rowOf<R>(found);
      }),
    readMany: <R>(table: string, keys: readonly string[]): Promise<ReadonlyMap<string, Row<R>>> =>
      run(async () => {
        const found = of(table).find({ _id: { $in: [...keys] } });
        return new Map((await found.toArray()).map((one) => [one._id, rowOf<R>(one)]));
      }),
    insert: (table, key, row) =>
      run(async () => {
        try {
          await of(table).insertOne({ _id: key, version: 1, json: JSON.stringify(row) });
          return true;
        } catch (error) {
          if (isDuplicate(error)) return false;
          throw error;
        }
      }),
    replace: (table, key, version, row) =>
      run(async () => {
        const replacement = { version: version + 1, json: JSON.stringify(row) };
        const { matchedCount } = await of(table).replaceOne({ _id: key, version }, replacement);
        return matchedCount === 1;
      }),
    remove: (table, key, version) =>
      run(async () => (await of(table).deleteOne({ _id: key, version })).deletedCount === 1),
    list: <R>(table: string, { after = '', limit = 0 }: RowOptions = {}): Promise<readonly KeyedRow<R>[]> =>
      run(async () => {
        const found = of(table).find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit });
        return (await found.toArray()).map((one) => ({ key: one._id, ...rowOf<R>(one) }));
      }),
    otherCommits: () => null,
  };
};
