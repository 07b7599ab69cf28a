import * as assert from 'uvu/assert';
import type { Event, Recorded } from '../../kernel/event.ts';
import { foldPage } from '../../projections/engine/fold.ts';
import {
  foldEvent,
  handledBy,
  type Projection,
  type SelectiveProjection,
} from '../../projections/engine/projection.ts';
import { collectionOf, firstGeneration } from '../../projections/engine/readModels.ts';
import type { ReadModels } from '../../stores/documents/port.ts';
import { fenceOf, type Stores } from '../controls/stores.ts';

type Documents = Readonly<Record<string, unknown>>;

/** Folds events in memory, without any store. */
export const foldAlone = (projection: Projection, events: readonly Recorded[]): Documents => {
  const documents = new Map<string, unknown>();
  for (const event of events.filter(({ type }) => handledBy(projection).includes(type))) {
    for (const key of projection.keys(event)) {
      documents.set(key, foldEvent(projection.on, documents.get(key) ?? null, event, key));
    }
  }
  return Object.fromEntries([...documents].filter(([, document]) => document !== null));
};

let runs = 0;

/**
 * Feeds pages to a projection on the embedded store as the runner would, and gives the documents that stand
 * in the end.
 */
const foldStored = async (
  projection: Projection,
  pages: readonly (readonly Recorded[])[],
  stores: Stores,
): Promise<Documents> => {
  const own = { ...projection, name: `${projection.name}_${++runs}` };
  const { models } = stores.documents;
  const fence = await fenceOf(stores, 'projections');
  for (const page of pages) {
    const { writes, quarantined } = await foldPage(firstGeneration(own), page, models, new Map());
    assert.equal(quarantined, []);
    await models.commit(writes, {}, fence);
  }
  return allOf(models, own, pages.flat());
};

const allOf = async (
  models: ReadModels,
  projection: Projection,
  events: readonly Recorded[],
): Promise<Documents> => {
  const handled = events.filter(({ type }) => handledBy(projection).includes(type));
  const keys = [...new Set(handled.flatMap((event) => projection.keys(event)))];
  const stored = await models.stored<unknown>(collectionOf(projection), keys);
  return Object.fromEntries(
    keys.flatMap((key) => {
      const document = stored.get(key)?.document ?? null;
      return document === null ? [] : [[key, document]];
    }),
  );
};

/**
 * How a log may reach a projection: as one page, one by one, and each page again together with what went
 * before.
 */
export const cuts = (events: readonly Recorded[]): readonly (readonly (readonly Recorded[])[])[] => {
  const singly = events.map((event) => [event]);
  const growing = events.map((_, index) => events.slice(0, index + 1));
  return [[events], [events, events], singly, singly.flatMap((page) => [page, page]), growing];
};

/** Given these events: then these documents, by key, however often and in whatever pages the events come. */
export const given = <D, E extends Event>(
  projection: Projection & SelectiveProjection<D, E>,
  events: readonly Recorded[],
  stores: () => Stores,
) => ({
  then: async (expected: Readonly<Record<string, D>>): Promise<void> => {
    assert.equal(foldAlone(projection, events), expected);
    for (const pages of cuts(events)) {
      assert.equal(await foldStored(projection, pages, stores()), expected, `${pages.length} pages`);
    }
  },
});
