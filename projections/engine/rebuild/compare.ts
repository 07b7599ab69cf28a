import type { ReadModels } from '../../../stores/documents/port.ts';
import { changesBetween } from '../../changes.ts';
import type { Generation } from './registry.ts';

/** A document that is not the same in both collections: where it differs, as JSON Pointers; no values, which may be private. */
export type Difference = Readonly<{ id: string; pointers: readonly string[] }>;

/**
 * What a rebuild found when it held both still. `before` is null where nothing served. Where another version did, documents have another shape:
 * only their number was compared, and `sampled` is 0.
 */
export type Comparison = Readonly<{
  projection: string;
  documents: Readonly<{ before: number | null; after: number }>;
  sampled: number;
  differences: readonly Difference[];
}>;

const MOST_POINTERS = 10;

/** Compares the collection that serves with the one that was filled: how many documents there are, and those named `ids`. */
export const compare = async (
  models: ReadModels,
  { projection, collection, served }: Generation,
  ids: readonly string[],
  isSameVersion: boolean,
): Promise<Comparison> => {
  const before = served === null ? null : await models.count(served);
  const documents = { before, after: await models.count(collection) };
  const { name } = projection;
  if (served === null || !isSameVersion) return { projection: name, documents, sampled: 0, differences: [] };
  const [old, made] = [await models.stored(served, ids), await models.stored(collection, ids)];
  const differences = ids.flatMap((id) => {
    const changes = changesBetween(old.get(id)?.document ?? null, made.get(id)?.document ?? null);
    const pointers = changes.map(({ pointer }) => pointer).slice(0, MOST_POINTERS);
    return pointers.length === 0 ? [] : [{ id, pointers }];
  });
  return { projection: name, documents, sampled: ids.length, differences };
};
