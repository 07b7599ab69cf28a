import type { Grey } from './grey.ts';

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
      const sum =
        (sums[bottom * row + right] ?? 0) -
        (sums[top * row + right] ?? 0) -
        (sums[bottom * row + left] ?? 0) +
        (sums[top * row + left] ?? 0);
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
