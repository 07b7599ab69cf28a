import { ReadModelNotBuilt } from '../../kernel/errors.ts';
import type { ReadModels } from '../../stores/documents/port.ts';
import type { Projection } from './projection.ts';
import { readModelStates } from './readModels.ts';

/**
 * These read models to be queried: one that came with a release, and was never built in a store that has
 * others, throws `ReadModelNotBuilt` where it would seem to be empty.
 */
export const requiringBuilt = (models: ReadModels, projections: readonly Projection[]): ReadModels => {
  const built = new Set<string>();
  const requireBuilt = async (name: string): Promise<void> => {
    if (built.has(name)) return;
    if ((await models.alias(name)) !== name) return void built.add(name);
    const { outdated } = await readModelStates(projections, models);
    if (outdated.some(({ projection }) => projection.name === name)) throw new ReadModelNotBuilt(name);
  };
  return {
    ...models,
    get: async (name, id) => {
      await requireBuilt(name);
      return models.get(name, id);
    },
    getMany: async (name, ids) => {
      await requireBuilt(name);
      return models.getMany(name, ids);
    },
    page: async (name, query) => {
      await requireBuilt(name);
      return models.page(name, query);
    },
    count: async (name, where, max) => {
      await requireBuilt(name);
      return models.count(name, where, max);
    },
  };
};
