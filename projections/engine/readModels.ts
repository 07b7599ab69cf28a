import type { Position } from '../../kernel/event.ts';
import type { ReadModels } from '../../stores/documents/port.ts';
import type { Projection } from './projection.ts';

/** A projection and the collection that its documents are written to. */
export type ReadModel = Readonly<{ projection: Projection; collection: string }>;

/**
 * A read model in service. outdated: of an older version; newer: of a newer release's version; absent: there
 * is none, and `collection` is the first generation's.
 */
export type ServedReadModel = ReadModel & Readonly<{ state: 'live' | 'outdated' | 'absent' | 'newer' }>;

/** The collection of a projection's version and generation. Queries use the alias: its name. */
export const collectionOf = ({ name, version }: Projection, generation = 1): string =>
  generation === 1 ? `${name}_v${version}` : `${name}_v${version}_${generation}`;

/** What the names of all collections of a projection begin with. */
export const collectionsOf = (projection: string): string => `${projection}_v`;

/** The version of the projection that fills a collection. */
export const versionOf = (collection: string): number => Number(/_v(\d+)(?:_\d+)?$/.exec(collection)?.[1]);

/** The read model of a projection in its first generation. */
export const firstGeneration = (projection: Projection): ReadModel => ({
  projection,
  collection: collectionOf(projection),
});

export type ReadModelStates = Readonly<Awaited<ReturnType<typeof readModelStates>>>;

/**
 * The read models of this release by state. In a new store all are live: they start together at the origin.
 */
export const readModelStates = async (projections: readonly Projection[], models: ReadModels) => {
  const served = await servedReadModels(projections, models);
  const checkpoints = await checkpointsOf(served, models);
  const isNew = checkpoints.every((checkpoint) => checkpoint === null);
  const isLive = ({ state }: ServedReadModel): boolean => state === 'live' || (isNew && state === 'absent');
  return {
    /** To be kept up to date. */
    live: served.filter(isLive),
    /** To be filled from the log first. */
    outdated: served.filter((one) => !isLive(one) && one.state !== 'newer'),
    /** Made by a newer release, which this one must not touch. */
    newer: served.filter(({ state }) => state === 'newer'),
    /** The position that all live ones include; null when one of them is empty, or there is none. */
    checkpoint: lowest(checkpoints.filter((_, n) => served[n] && isLive(served[n]))),
  };
};

/**
 * The position up to which the read model that a projection's alias serves includes the log; null while it is
 * empty. One of an older version stands still until it is rebuilt.
 */
export const endOf = async (models: ReadModels, name: string): Promise<Position | null> =>
  models.checkpoint(await models.alias(name));

/** The checkpoints of read models, in their order. */
export const checkpointsOf = (
  readModels: readonly ReadModel[],
  models: ReadModels,
): Promise<readonly (Position | null)[]> =>
  models.checkpoints(readModels.map(({ collection }) => collection));

/** The lowest of these positions; null for the origin, or when there is none. */
export const lowest = (positions: readonly (Position | null)[]): Position | null =>
  positions.includes(null) ? null : (positions.toSorted()[0] ?? null);

/** The read model that each projection's alias serves. */
export const servedReadModels = async (
  projections: readonly Projection[],
  models: ReadModels,
): Promise<readonly ServedReadModel[]> => {
  const aliases = await models.aliases(projections.map(({ name }) => name));
  return projections.map((projection, n) => {
    const collection = aliases[n] ?? projection.name;
    return collection === projection.name
      ? { ...firstGeneration(projection), state: 'absent' }
      : { projection, collection, state: stateOf(versionOf(collection), projection.version) };
  });
};

const stateOf = (served: number, own: number): ServedReadModel['state'] => {
  if (served === own) return 'live';
  return served < own ? 'outdated' : 'newer';
};

/** The position up to which all live read models include the log; null when one of them is empty. */
export const liveCheckpoint = async (
  projections: readonly Projection[],
  models: ReadModels,
): Promise<Position | null> => (await readModelStates(projections, models)).checkpoint;
