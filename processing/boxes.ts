import type { Box } from './types.ts';

/** The smallest box around one box or more. */
export const union = (boxes: readonly Box[]): Box =>
  // Not Math.min(...): a line may have more words than a function takes arguments.
  boxes.reduce((a, b) => ({
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  }));

/** The overlap of two boxes along one axis, as a share of the shorter side; negative when they are apart. */
export const overlap = (a: Box, b: Box, from: 'left' | 'top', to: 'right' | 'bottom'): number =>
  (Math.min(a[to], b[to]) - Math.max(a[from], b[from])) /
  Math.max(1, Math.min(a[to] - a[from], b[to] - b[from]));

/** The part of a box between two shares of its width, each from 0 to 1. */
export const slice = (box: Box, from: number, to: number): Box => {
  const width = box.right - box.left;
  return { ...box, left: box.left + width * from, right: box.left + width * to };
};
