import type { Fixed } from './viewing.ts';

/** How high letters must be to be read, in pixels. */
export const READABLE = 16;

/**
 * Scrolls the document to a box of it, and nothing else: the fields that are pointed at stay where they are.
 */
export const scrollToBox = (box: Element | null | undefined): void => {
  const region = box?.closest('.page');
  if (!box || !region) return;
  const [inner, outer] = [box.getBoundingClientRect(), region.getBoundingClientRect()];
  const isIn =
    inner.top >= outer.top &&
    inner.bottom <= outer.bottom &&
    inner.left >= outer.left &&
    inner.right <= outer.right;
  if (isIn) return;
  region.scrollBy(
    inner.left + inner.width / 2 - outer.left - outer.width / 2,
    inner.top + inner.height / 2 - outer.top - outer.height / 2,
  );
};

/** Scrolls the document to the top of a page. */
export const scrollToPage = (region: Element | null, page: number): void => {
  const place = region?.querySelector(`[data-page="${page}"]`);
  if (!region || !place) return;
  region.scrollBy(0, place.getBoundingClientRect().top - region.getBoundingClientRect().top);
};

/** The page at a point of the window, and what of it is there. */
export const fixedAt = (region: Element, x: number, y: number): Fixed | null => {
  for (const page of region.querySelectorAll('[data-page]')) {
    const { left, top, right, bottom, width, height } = page.getBoundingClientRect();
    if (top <= y && y <= bottom && left <= x && x <= right)
      return { x, y, page, across: (x - left) / width, down: (y - top) / height };
  }
  return null;
};

/** Scrolls so that a part of a page, whose size has changed, is where it was. */
export const keepFixed = (region: Element | null, fixed: Fixed | null): void => {
  if (!region || !fixed) return;
  const { left, top, width, height } = fixed.page.getBoundingClientRect();
  region.scrollBy(left + fixed.across * width - fixed.x, top + fixed.down * height - fixed.y);
};

/** The page that is looked at: `now` for as long as half of it, or of the document's place, is that page. */
export const pageInView = (region: Element | null, now: number): number => {
  if (!region) return now;
  const outer = region.getBoundingClientRect();
  const seen = [...region.querySelectorAll<HTMLElement>('[data-page]')].map((place) => {
    const { top, bottom, height } = place.getBoundingClientRect();
    const part = Math.max(0, Math.min(bottom, outer.bottom) - Math.max(top, outer.top));
    return { page: Number(place.dataset.page), part, isHalf: part >= Math.min(height, outer.height) / 2 };
  });
  if (seen.some(({ page, isHalf }) => page === now && isHalf)) return now;
  return seen.toSorted((one, other) => other.part - one.part)[0]?.page ?? now;
};
