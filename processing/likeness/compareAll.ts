import type { AlikePages, Print } from '../../domain/submission/prints.ts';
import { comparePages } from './compare.ts';

/** How many pairs of pages of two submissions are compared: of pages in the same place first. */
const MOST_PAIRS = 16;

/** The pages of another submission that are alike to these, each named once. */
export const compareAll = (prints: readonly Print[], others: readonly Print[]): readonly AlikePages[] => {
  const pairs = prints
    .flatMap((one, n) => others.map((other, m) => ({ one, other, apart: Math.abs(n - m) })))
    .sort((a, b) => a.apart - b.apart)
    .slice(0, MOST_PAIRS);
  const found: AlikePages[] = [];
  const taken = new Set<Print>();
  for (const { one, other } of pairs) {
    if (taken.has(one) || taken.has(other)) continue;
    const alike = comparePages(one, other);
    if (!alike) continue;
    found.push(alike);
    taken.add(one).add(other);
  }
  return found;
};
