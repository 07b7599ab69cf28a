import type { Box } from '../types.ts';
import type { Grey } from './grey.ts';
import { inkOf } from './ink.ts';

const MIN_HEIGHT = 5;
const MAX_HEIGHT = 100;
const MIN_LETTERS = 20;
const TWO_THIRDS = 0.66;

/**
 * The height of a picture's letters in its pixels, null with hardly any: two thirds of what is connected in
 * ink are lower (specks, dots, small letters).
 */
export const letterHeight = (picture: Grey): number | null => {
  const heights = lettersOf(picture)
    .map(({ top, bottom }) => bottom - top)
    .sort((a, b) => a - b);
  return heights.length < MIN_LETTERS ? null : (heights[Math.floor(heights.length * TWO_THIRDS)] ?? null);
};

/** The connected components of a picture's ink that have the size and form of a letter. */
export const lettersOf = (picture: Grey): readonly Box[] =>
  components(inkOf(picture), picture).filter(({ left, top, right, bottom }) => {
    const [width, height] = [right - left, bottom - top];
    return height >= MIN_HEIGHT && height <= MAX_HEIGHT && width <= 3 * height && height <= 6 * width;
  });

/** The boxes of connected components, corners included. Clears the ink. */
const components = (ink: Uint8Array, { width }: Grey): readonly Box[] => {
  const found: Box[] = [];
  const neighbours = [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1];
  for (let start = 0; start < ink.length; start += 1) {
    if (ink[start] !== 1) continue;
    const stack = [start];
    ink[start] = 0;
    let [left, right, last] = [start % width, start % width, start];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      [left, right] = [Math.min(left, at % width), Math.max(right, at % width)];
      last = Math.max(last, at);
      for (const step of neighbours) {
        if (ink[at + step] !== 1) continue;
        ink[at + step] = 0;
        stack.push(at + step);
      }
    }
    const [top, bottom] = [Math.floor(start / width), Math.floor(last / width) + 1];
    found.push({ left, top, right: right + 1, bottom });
  }
  return found;
};
