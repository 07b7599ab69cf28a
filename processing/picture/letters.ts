import type { Box } from '../../domain/submission/processingResult.ts';
import type { Grey } from './pixels.ts';

const MIN_HEIGHT = 5;
const MAX_HEIGHT = 100;
const MIN_LETTERS = 20;
const TWO_THIRDS = 0.66;

/** The height of letters in pixels, null with hardly any: two thirds of the components are lower. */
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

const RADIUS = 7;
const DARKER = 0.82;

/** Where a small picture is darker than its surroundings, as letters are: 1 for ink, 0 for paper. */
export const inkOf = ({ data, width, height }: Grey): Uint8Array => {
  const sums = integral(data, width, height);
  const row = width + 1;
  const ink = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = [Math.max(0, y - RADIUS), Math.min(height, y + RADIUS + 1)];
    for (let x = 0; x < width; x += 1) {
      const [left, right] = [Math.max(0, x - RADIUS), Math.min(width, x + RADIUS + 1)];
      const above = (sums[top * row + right] ?? 0) - (sums[top * row + left] ?? 0);
      const sum = (sums[bottom * row + right] ?? 0) - (sums[bottom * row + left] ?? 0) - above;
      const mean = sum / ((bottom - top) * (right - left));
      if ((data[y * width + x] ?? 0) < mean * DARKER) ink[y * width + x] = 1;
    }
  }
  return ink;
};

/** For each corner between pixels the sum of all pixels above and left of it (an integral image). */
const integral = (data: Uint8Array, width: number, height: number): Float64Array => {
  const row = width + 1;
  const sums = new Float64Array(row * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let sum = 0;
    for (let x = 0; x < width; x += 1) {
      sum += data[y * width + x] ?? 0;
      sums[(y + 1) * row + x + 1] = (sums[y * row + x + 1] ?? 0) + sum;
    }
  }
  return sums;
};
