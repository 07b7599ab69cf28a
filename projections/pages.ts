import type { ResultPage, Scalar } from '../stores/documents/port.ts';

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
