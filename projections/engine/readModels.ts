import type { Position } from '../../kernel/event.ts';
import type { ReadModels } from '../../stores/documents/port.ts';
import type { Projection } from './projection.ts';

/** A projection and the collection that its documents are written to. */
export type ReadModel = Readonly<{ projection: Projection; collection: string }>;

/** A projection that can't serve yet; `served` is the collection of an older version that serves meanwhile, null for none. */
type Outdated = Readonly<{ projection: Projection; served: string | null }>;

/** How the read models of this release stand to those in the store. */
export type ReadModelStates = Readonly<{
  /** Those that serve as this release makes them: they are kept up to date. */
  live: readonly ReadModel[];
  /** Those that must be filled from the log first. */
  outdated: readonly Outdated[];
  /** Those that a newer release has made: they are not for this one to touch. */
  newer: readonly ReadModel[];
  /** The position up to which every live one shows the log; null when one of them shows nothing yet, or there is none. */
  shown: Position | null;
}>;

/** The collection that one version of a projection fills; each rebuild of it fills another generation. Readers use the projection's name, an alias of it. */
export const collectionOf = ({ name, version }: Projection, generation = 1): string =>
  generation === 1 ? `${name}_v${version}` : `${name}_v${version}_${generation}`;

/** The version of the projection that fills a collection. */
export const versionOf = (collection: string): number => Number(/_v(\d+)(?:_\d+)?$/.exec(collection)?.[1]);

/** Looks which collections serve, and how far the live ones are. Where nothing was ever shown, all are live: they begin together at the origin. */
export const readModelStates = async (
  projections: readonly Projection[],
  models: ReadModels,
): Promise<ReadModelStates> => {
  const all = await servedReadModels(projections, models);
  const checkpoints = await models.checkpoints(all.map(({ collection }) => collection));
  const isFresh = checkpoints.every((checkpoint) => checkpoint === null);
  const isLive = ({ age }: Served): boolean => age === 'current' || (isFresh && age === 'absent');
  const live = all.filter(isLive);
  const positions = checkpoints.filter((_, n) => live.some((target) => target === all[n]));
  return {
    live,
    newer: all.filter(({ age }) => age === 'newer'),
    outdated: all
      .filter((target) => !isLive(target) && target.age !== 'newer')
      .map(({ projection, collection, age }) => ({
        projection,
        served: age === 'absent' ? null : collection,
      })),
    shown: positions.includes(null) ? null : (positions.toSorted()[0] ?? null),
  };
};

/** A projection with the collection that serves for it, and whether this release made that; where none serves, the one that would be the first. */
type Served = ReadModel & Readonly<{ age: 'absent' | 'older' | 'current' | 'newer' }>;

/** Which collection each name points at. */
export const servedReadModels = async (
  projections: readonly Projection[],
  models: ReadModels,
): Promise<readonly Served[]> => {
  const served = await models.aliases(projections.map(({ name }) => name));
  return projections.map((projection, n) => {
    const collection = served[n] ?? projection.name;
    return collection === projection.name
      ? { ...firstGeneration(projection), age: 'absent' }
      : { projection, collection, age: ageOf(versionOf(collection), projection.version) };
  });
};

const ageOf = (served: number, own: number): 'older' | 'current' | 'newer' => {
  if (served === own) return 'current';
  return served < own ? 'older' : 'newer';
};

/** The position up to which every live one of these read models shows the log; null when one of them shows nothing yet. */
export const liveCheckpoint = async (
  projections: readonly Projection[],
  models: ReadModels,
): Promise<Position | null> => (await readModelStates(projections, models)).shown;

/** A projection with the collection of its first generation. */
export const firstGeneration = (projection: Projection): ReadModel => ({
  projection,
  collection: collectionOf(projection),
});
