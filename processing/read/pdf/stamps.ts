import type { Page } from '../../page.ts';

const EDGE = 0.08;

/**
 * The text that stands over a scan, without what a fax machine or a scanner's program printed at the edge of the page, above or below all that the scan shows:
 * its sender, its date and its number of pages are not the document's.
 */
export const withoutStamps = (text: Page, scan: Page, height: number): Page => {
  const boxes = scan.lines.flatMap(({ place: { box } }) => (box ? [box] : []));
  const first = Math.min(EDGE * height, ...boxes.map(({ top }) => top));
  const last = Math.max((1 - EDGE) * height, ...boxes.map(({ bottom }) => bottom));
  const isStamp = (top: number, bottom: number): boolean => bottom <= first || top >= last;
  if (boxes.length === 0) return text;
  return {
    ...text,
    lines: text.lines.filter(({ place: { box } }) => !box || !isStamp(box.top, box.bottom)),
  };
};
