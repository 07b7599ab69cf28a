import type { Db, Named } from './client.ts';

export type Names = ReturnType<typeof namesIn>;

/**
 * Which collections logical names mean; those that point elsewhere are in the collection `aliases`. Another
 * node may change one at any time: a cached answer must be read again before it is relied on.
 */
export const namesIn = (database: Db) => {
  const aliases: Named<{ target: string }> = database.collection('aliases');
  return {
    target: async (name: string): Promise<string> => (await aliases.findOne({ _id: name }))?.target ?? name,
    targets: async (names: readonly string[]): Promise<readonly string[]> => {
      const found = await aliases.find({ _id: { $in: [...names] } }).toArray();
      const targets = new Map(found.map(({ _id, target }) => [_id, target]));
      return names.map((name) => targets.get(name) ?? name);
    },
    point: async (name: string, target: string): Promise<void> => {
      await aliases.updateOne({ _id: name }, { $set: { target } }, { upsert: true });
    },
  };
};

/** The collection of a read model, by its own name; those of tables have another prefix. */
export const modelCollection = (name: string): string => `model.${escaped(name)}`;

/** The collection of a table. */
export const tableCollection = (name: string): string => `table.${escaped(name)}`;

/** A name as part of a collection's or a member's: what is no letter, digit, `_` or `-` is escaped out. */
export const escaped = (name: string): string =>
  name.replace(/[^A-Za-z0-9_-]/g, (unit) => `%${unit.charCodeAt(0).toString(16)}%`);
