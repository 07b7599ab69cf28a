import type { Box } from '../types.ts';
import { type Grey, quantile } from './grey.ts';

const INK = 20;
const FEWEST_NEIGHBOURS = 4;
const MARGIN = 2;

/**
 * The part of a thumbnail that holds something: around every pixel unlike the background that
 * has enough such neighbours, with a margin. Specks have none, as shrinking made them faint. The whole when all is
 * background.
 */
export const contentBox = ({ data, width, height }: Grey): Box => {
  const background = quantile(data, 0.5);
  const isInk = (x: number, y: number): boolean =>
    x >= 0 && x < width && Math.abs((data[y * width + x] ?? background) - background) > INK;
  const kept: [x: number, y: number][] = [];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if (isInk(x, y) && neighbours(isInk, x, y) >= FEWEST_NEIGHBOURS) kept.push([x, y]);
  if (kept.length === 0) return { left: 0, top: 0, right: width, bottom: height };
  return {
    left: Math.max(0, kept.reduce((least, [x]) => Math.min(least, x), width) - MARGIN),
    top: Math.max(0, kept.reduce((least, [, y]) => Math.min(least, y), height) - MARGIN),
    right: Math.min(width, kept.reduce((most, [x]) => Math.max(most, x), 0) + 1 + MARGIN),
    bottom: Math.min(height, kept.reduce((most, [, y]) => Math.max(most, y), 0) + 1 + MARGIN),
  };
};

/** How many of the 24 pixels around one are ink. */
const neighbours = (isInk: (x: number, y: number) => boolean, x: number, y: number): number => {
  let count = -1;
  for (let dy = -2; dy <= 2; dy += 1)
    for (let dx = -2; dx <= 2; dx += 1) if (isInk(x + dx, y + dy)) count += 1;
  return count;
};
