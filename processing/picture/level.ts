import type { Grey, Size } from './pixels.ts';
import { pointIn, type Rectangle } from './rectangle.ts';

/**
 * The part of a picture in a rectangle, level and in another size: each pixel is the mean of what it covers.
 * What lies beyond the picture repeats its edge.
 */
export const levelled = (picture: Grey, rectangle: Rectangle, { width, height }: Size): Grey => {
  const data = new Uint8Array(width * height);
  const [across, down] = [rectangle.width / width, rectangle.height / height];
  const [columns, rows] = [Math.max(1, Math.round(across)), Math.max(1, Math.round(down))];
  const { direction } = rectangle;
  const start = pointIn(rectangle, across / columns / 2, down / rows / 2);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      for (let row = 0; row < rows; row += 1)
        for (let column = 0; column < columns; column += 1) {
          const [right, below] = [(x + column / columns) * across, (y + row / rows) * down];
          sum += valueAt(
            picture,
            start.x + right * direction.x - below * direction.y,
            start.y + right * direction.y + below * direction.x,
          );
        }
      data[y * width + x] = Math.round(sum / (rows * columns));
    }
  return { data, width, height };
};

/** The value between pixels, whose middles lie at halves. */
const valueAt = ({ data, width, height }: Grey, atX: number, atY: number): number => {
  const x = Math.min(width - 1, Math.max(0, atX - 0.5));
  const y = Math.min(height - 1, Math.max(0, atY - 0.5));
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const at = top * width + left;
  const right = left + 1 < width ? 1 : 0;
  const below = top + 1 < height ? width : 0;
  const [shareX, shareY] = [x - left, y - top];
  const upper = (data[at] ?? 0) * (1 - shareX) + (data[at + right] ?? 0) * shareX;
  const lower = (data[at + below] ?? 0) * (1 - shareX) + (data[at + below + right] ?? 0) * shareX;
  return upper * (1 - shareY) + lower * shareY;
};
