import type { Row, Tables } from '../port.ts';
import type { Connection, Named } from './client.ts';
import { isDuplicate } from './failures.ts';
import { tableCollection } from './names.ts';

/** A row as it is stored: its JSON as text, so that it comes back exactly. */
type StoredDocument = Readonly<{ version: number; json: string }>;

/** Tables in MongoDB, a collection each, by key. */
export const mongoTables = ({ database, run }: Connection): Tables => {
  const of = (table: string): Named<StoredDocument> => database.collection(tableCollection(table));
  return {
    read: <R>(table: string, key: string): Promise<Row<R> | null> =>
      run(async () => {
        const found = await of(table).findOne({ _id: key });
        return found && { row: JSON.parse(found.json) as R, version: found.version };
      }),
    readMany: <R>(table: string, keys: readonly string[]): Promise<ReadonlyMap<string, Row<R>>> =>
      run(async () => {
        const found = await of(table)
          .find({ _id: { $in: [...keys] } })
          .toArray();
        return new Map(found.map(({ _id, json, version }) => [_id, { row: JSON.parse(json) as R, version }]));
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
    list: <R>(table: string, { after, limit = 0 }: Readonly<{ after?: string; limit?: number }> = {}) =>
      run(async () => {
        const filter = after === undefined ? {} : { _id: { $gt: after } };
        const found = await of(table)
          .find(filter, { sort: { _id: 1 }, limit })
          .toArray();
        return found.map(({ _id, json, version }) => ({ key: _id, row: JSON.parse(json) as R, version }));
      }),
  };
};
