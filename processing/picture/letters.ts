import type { Grey } from './grey.ts';
import { inkOf } from './ink.ts';

const LOWEST = 5;
const HIGHEST = 100;
const FEWEST = 20;
const TWO_THIRDS = 0.66;

/** How high the letters of a picture are in its pixels: of what hangs together in ink two thirds are lower (specks, dots, small letters); null with hardly any. */
export const letterHeight = (picture: Grey): number | null => {
  const heights = components(inkOf(picture), picture)
    .filter(
      ({ width, height }) =>
        height >= LOWEST && height <= HIGHEST && width <= 3 * height && height <= 6 * width,
    )
    .map(({ height }) => height)
    .sort((a, b) => a - b);
  return heights.length < FEWEST ? null : (heights[Math.floor(heights.length * TWO_THIRDS)] ?? null);
};

type Extent = Readonly<{ width: number; height: number }>;

/** The extents of what hangs together in ink, corners included. It empties the ink. */
const components = (ink: Uint8Array, { width }: Grey): readonly Extent[] => {
  const found: Extent[] = [];
  const around = [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1];
  for (let start = 0; start < ink.length; start += 1) {
    if (ink[start] !== 1) continue;
    const pile = [start];
    ink[start] = 0;
    let [left, right, bottom] = [start % width, start % width, start];
    for (let at = pile.pop(); at !== undefined; at = pile.pop()) {
      [left, right] = [Math.min(left, at % width), Math.max(right, at % width)];
      bottom = Math.max(bottom, at);
      for (const step of around) {
        if (ink[at + step] !== 1) continue;
        ink[at + step] = 0;
        pile.push(at + step);
      }
    }
    const top = Math.floor(start / width);
    found.push({ width: right - left + 1, height: Math.floor(bottom / width) - top + 1 });
  }
  return found;
};
