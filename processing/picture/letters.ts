import type { Box } from '../types.ts';
import type { Grey } from './grey.ts';
import { inkOf } from './ink.ts';

const LOWEST = 5;
const HIGHEST = 100;
const FEWEST = 20;
const TWO_THIRDS = 0.66;

/** How high the letters of a picture are in its pixels: of what hangs together in ink two thirds are lower (specks, dots, small letters); null with hardly any. */
export const letterHeight = (picture: Grey): number | null => {
  const heights = lettersOf(picture)
    .map(({ top, bottom }) => bottom - top)
    .sort((a, b) => a - b);
  return heights.length < FEWEST ? null : (heights[Math.floor(heights.length * TWO_THIRDS)] ?? null);
};

/** What hangs together in a picture's ink and has the size and form of a letter. */
export const lettersOf = (picture: Grey): readonly Box[] =>
  components(inkOf(picture), picture).filter(({ left, top, right, bottom }) => {
    const [width, height] = [right - left, bottom - top];
    return height >= LOWEST && height <= HIGHEST && width <= 3 * height && height <= 6 * width;
  });

/** The boxes of what hangs together in ink, corners included. It empties the ink. */
const components = (ink: Uint8Array, { width }: Grey): readonly Box[] => {
  const found: Box[] = [];
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
    found.push({
      left,
      top: Math.floor(start / width),
      right: right + 1,
      bottom: Math.floor(bottom / width) + 1,
    });
  }
  return found;
};
