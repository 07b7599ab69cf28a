import type { Database } from '../../sqlite/database.ts';
import { snapshot } from '../../sqlite/transactions.ts';
import type { Collection, Collections } from './collections.ts';
import { memoize } from './memoize.ts';

/** Gives what `body` finds in the collection that a name means, or `none` when it was never written to. */
export type Read = <T>(name: string, none: T, body: (collection: Collection) => T) => Promise<T>;

type Find = (name: string) => Collection | null;
type Waiting = Readonly<{ read(find: Find): void; fail(error: unknown): void }>;

/**
 * Reads that are done at the end of the turn of the event loop, all of a turn on one snapshot: its locks, and
 * what a name means, cost more than most reads.
 */
export const sharedReads = (database: Database, collections: Collections): Read => {
  let waiting: Waiting[] = [];
  const readAll = (): void => {
    const all = waiting;
    waiting = [];
    const find = memoize(collections.find);
    try {
      snapshot(database, () => {
        for (const { read } of all) read(find);
      });
    } catch (error) {
      for (const { fail } of all) fail(error); // those that were read have been answered
    }
  };
  return <T>(name: string, none: T, body: (collection: Collection) => T) =>
    new Promise<T>((resolve, fail) => {
      const read = (find: Find): void => {
        try {
          const found = find(name);
          resolve(found ? body(found) : none);
        } catch (error) {
          fail(error);
        }
      };
      if (waiting.push({ read, fail }) === 1) setImmediate(readAll);
    });
};
