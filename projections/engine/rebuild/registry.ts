import { LeaseLost } from '../../../kernel/errors.ts';
import type { DocumentStore, ReadModels, Tables } from '../../../stores/documents/port.ts';
import { changeRow } from '../../../stores/documents/rows.ts';
import type { Projection } from '../projection.ts';
import { quarantinedIn } from '../quarantine.ts';
import { collectionOf, type ReadModel, versionOf } from '../readModels.ts';

/** The rebuilds of a projection. A collection's name is used once: its checkpoint stays. */
export type RebuildRecord = Readonly<{
  /** The last generation of each version that was started. */
  generations: Readonly<Record<number, number>>;
  /** The collection that a rebuild fills, and how many events it has read for that. */
  filling: Readonly<{ collection: string; events: number }> | null;
  /** Collections that serve no longer, to be dropped. */
  retired: readonly string[];
}>;

/** The lease of the one process that rebuilds. */
export const REBUILD_LEASE = 'rebuild';

const TABLE = 'rebuilds';
const EMPTY: RebuildRecord = { generations: {}, filling: null, retired: [] };

/** The record of a projection, by name. */
export const readRecord = async (tables: Tables, name: string): Promise<RebuildRecord> =>
  (await tables.read<RebuildRecord>(TABLE, name))?.row ?? EMPTY;

/** Changes the record of a projection. Only the holder of the rebuild lease may. */
export const updateRecord = async (
  tables: Tables,
  name: string,
  change: (record: RebuildRecord) => RebuildRecord,
): Promise<RebuildRecord> =>
  (await changeRow<RebuildRecord>(tables, TABLE, name, (row) => change(row ?? EMPTY))) ?? EMPTY;

/** A collection that a rebuild fills beside the one that serves; `events` it has read. */
export type Generation = ReadModel & Readonly<{ served: string | null; events: number }>;

/**
 * The collection for a rebuild to fill: the unfinished one of this version, or a new one. A new one if
 * `anew`, and where the unfinished one has quarantined documents: a faulty build may have filled it.
 */
export const startGeneration = async (
  { models, tables }: Pick<DocumentStore, 'models' | 'tables'>,
  projection: Projection,
  served: string | null,
  anew: boolean,
): Promise<Generation> => {
  const { name, version } = projection;
  const before = await readRecord(tables, name);
  const unfinished = before.filling?.collection ?? null;
  const generation = await unusedGeneration(models, projection, (before.generations[version] ?? 0) + 1);
  const isSound = unfinished !== null && !(await hasQuarantined(tables, unfinished));
  const { filling } = await updateRecord(tables, name, (record) => {
    const { generations, filling: current, retired } = record;
    const abandoned = current?.collection === served ? null : (current?.collection ?? null);
    const isUsable = isSound && !anew && versionOf(abandoned ?? '') === version;
    if (abandoned !== null && abandoned === unfinished && isUsable) return record;
    return {
      generations: { ...generations, [version]: generation },
      filling: { collection: collectionOf(projection, generation), events: 0 },
      retired: abandoned === null ? retired : [...retired, abandoned],
    };
  });
  if (filling === null) throw new Error(`the rebuild of ${name} has not started`);
  return { projection, served, ...filling };
};

const hasQuarantined = async (tables: Tables, collection: string): Promise<boolean> =>
  !(await quarantinedIn(tables, collection).next()).done;

/** The first generation from this one on that was never written to: the first of all has no record. */
const unusedGeneration = async (
  models: ReadModels,
  projection: Projection,
  generation: number,
): Promise<number> =>
  (await models.checkpoint(collectionOf(projection, generation))) === null
    ? generation
    : unusedGeneration(models, projection, generation + 1);

/** Records how many events a rebuild has read. Throws `LeaseLost` when another one has started. */
export const recordProgress = (
  tables: Tables,
  { projection, collection }: ReadModel,
  events: number,
): Promise<RebuildRecord> =>
  updateRecord(tables, projection.name, (record) => {
    if (record.filling?.collection !== collection) throw new LeaseLost(REBUILD_LEASE);
    return { ...record, filling: { collection, events } };
  });

/** Records that a collection will serve no longer, before the alias moves. */
export const retire = (tables: Tables, name: string, collection: string): Promise<RebuildRecord> =>
  updateRecord(tables, name, (record) => ({
    ...record,
    retired: [...new Set([...record.retired, collection])],
  }));

/** Records that the rebuild that filled a collection has ended. */
export const finishGeneration = (
  tables: Tables,
  { projection, collection }: ReadModel,
): Promise<RebuildRecord> =>
  updateRecord(tables, projection.name, (record) =>
    record.filling?.collection === collection ? { ...record, filling: null } : record,
  );
