import type { Query, ReadModels, ResultPage } from '../../stores/documents/port.ts';
import { newestBy } from './projection.ts';

/** Where a page starts: `next` of the page before, null for the first page. */
export type After = Query['after'];

/** Pages of a whole read model, newest first. It has an index on `createdAt` and `id`. */
export const newestOf =
  <D>(models: ReadModels, collection: string) =>
  (limit: number, after: After): Promise<ResultPage<D>> =>
    models.page<D>(collection, { where: {}, sort: newestBy('createdAt'), limit, after });

/** The items of a paged query, at max `max`; `more`: there are others. */
export const collect = async <D>(
  page: (limit: number, after: After) => Promise<ResultPage<D>>,
  max = Number.POSITIVE_INFINITY,
): Promise<Readonly<{ items: readonly D[]; more: boolean }>> => {
  const items: D[] = [];
  let after: After = null;
  do {
    const found: ResultPage<D> = await page(Math.min(500, max - items.length), after);
    items.push(...found.items);
    after = found.next;
  } while (after !== null && items.length < max);
  return { items, more: after !== null };
};
