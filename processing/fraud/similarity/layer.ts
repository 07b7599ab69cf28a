import type { Grey } from '../../picture/grey.ts';
import type { Strokes } from './strokes.ts';

/** How much ink there is around each pixel: 0..255. */
export type Layer = Grey;

/** Strokes, blurred by a pixel, so that those that lie half a pixel apart still overlap. */
export const blurred = ({ data, width, height }: Strokes): Layer => {
  const to = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      for (let down = -1; down <= 1; down += 1)
        for (let across = -1; across <= 1; across += 1) {
          const [column, row] = [x + across, y + down];
          if (column < 0 || row < 0 || column >= width || row >= height || !data[row * width + column])
            continue;
          sum += (2 - Math.abs(across)) * (2 - Math.abs(down));
        }
      to[y * width + x] = (sum * 255) / 16;
    }
  return { data: to, width, height };
};

/** A layer `shrink` times smaller: each pixel the mean of a square. */
export const shrunk = (layer: Layer, shrink: number): Layer => {
  if (shrink === 1) return layer;
  const width = Math.floor(layer.width / shrink);
  const height = Math.floor(layer.height / shrink);
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      for (let row = y * shrink; row < (y + 1) * shrink; row += 1)
        for (let column = x * shrink; column < (x + 1) * shrink; column += 1)
          sum += layer.data[row * layer.width + column] ?? 0;
      data[y * width + x] = sum / (shrink * shrink);
    }
  return { data, width, height };
};
