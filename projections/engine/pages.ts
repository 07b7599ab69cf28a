import type { ReadModels, ResultPage, Scalar } from '../../stores/documents/port.ts';
import { newestBy } from './projection.ts';

/** The pages of a whole read model, newest first. Its documents have `createdAt` and `id`, and an index on both. */
export const newestOf =
  <D>(models: ReadModels, collection: string) =>
  (limit: number, after: readonly Scalar[] | null): Promise<ResultPage<D>> =>
    models.page<D>(collection, { where: {}, sort: newestBy('createdAt'), limit, after });

/** Items of a paged query, page after page, up to `most`; `more` tells whether some were left out. */
export const collect = async <D>(
  page: (limit: number, after: readonly Scalar[] | null) => Promise<ResultPage<D>>,
  most = Number.POSITIVE_INFINITY,
): Promise<Readonly<{ items: readonly D[]; more: boolean }>> => {
  const items: D[] = [];
  let after: readonly Scalar[] | null = null;
  do {
    const found: ResultPage<D> = await page(Math.min(500, most - items.length), after);
    items.push(...found.items);
    after = found.next;
  } while (after !== null && items.length < most);
  return { items, more: after !== null };
};
