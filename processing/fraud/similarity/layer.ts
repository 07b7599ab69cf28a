import type { Affine } from '../../picture/affine.ts';
import type { Grey } from '../../picture/pixels.ts';
import type { Strokes } from './strokes.ts';

/** How much ink there is around each pixel: 0..255. */
export type Layer = Grey;

/** Strokes blurred by a pixel, so that those half a pixel apart still overlap. */
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

/** A layer `factor` times smaller: each pixel the mean of a square. */
export const shrunk = (layer: Layer, factor: number): Layer => {
  if (factor === 1) return layer;
  const width = Math.floor(layer.width / factor);
  const height = Math.floor(layer.height / factor);
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      for (let row = y * factor; row < (y + 1) * factor; row += 1)
        for (let column = x * factor; column < (x + 1) * factor; column += 1)
          sum += layer.data[row * layer.width + column] ?? 0;
      data[y * width + x] = sum / (factor * factor);
    }
  return { data, width, height };
};

/** A layer seen through a mapping: for each pixel of `frame` what the layer has there. */
export const mapped = ({ data, width, height }: Layer, frame: Layer, [a, b, c, d, e, f]: Affine): Layer => {
  const to = new Uint8Array(frame.width * frame.height);
  for (let y = 0; y < frame.height; y += 1)
    for (let x = 0; x < frame.width; x += 1) {
      const across = a * x + b * y + c;
      const down = d * x + e * y + f;
      const left = Math.floor(across);
      const top = Math.floor(down);
      if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) continue;
      const at = top * width + left;
      const right = across - left;
      const low = down - top;
      const upper = (data[at] ?? 0) * (1 - right) + (data[at + 1] ?? 0) * right;
      const lower = (data[at + width] ?? 0) * (1 - right) + (data[at + width + 1] ?? 0) * right;
      to[y * frame.width + x] = upper * (1 - low) + lower * low;
    }
  return { data: to, width: frame.width, height: frame.height };
};

export type Block = Readonly<{ x: number; y: number; width: number; height: number }>;

/** The squares that fit into a layer, row by row. */
export const blocksOf = ({ width, height }: Layer, size: number): readonly Block[] => {
  const blocks: Block[] = [];
  for (let y = 0; y + size <= height; y += size)
    for (let x = 0; x + size <= width; x += size) blocks.push({ x, y, width: size, height: size });
  return blocks;
};

/** The sum of a block's ink. */
export const inkIn = (layer: Layer, { x, y, width, height }: Block): number => {
  let sum = 0;
  for (let row = y; row < y + height; row += 1)
    for (let column = x; column < x + width; column += 1) sum += layer.data[row * layer.width + column] ?? 0;
  return sum;
};

/** Whether ink covers at least a share of a block. */
export const hasInk = (layer: Layer, block: Block, share: number): boolean =>
  inkIn(layer, block) >= share * block.width * block.height * 255;

/** The shift within reach at which a block of one layer correlates best (-1..1) with the other. */
export const bestShift = (one: Layer, other: Layer, block: Block, reachAcross: number, reachDown: number) => {
  let best = { across: 0, down: 0, correlation: -1 };
  for (let down = -reachDown; down <= reachDown; down += 1)
    for (let across = -reachAcross; across <= reachAcross; across += 1) {
      const correlation = correlationAt(one, other, block, across, down);
      if (correlation > best.correlation) best = { across, down, correlation };
    }
  return best;
};

const correlationAt = (
  one: Layer,
  other: Layer,
  { x, y, width, height }: Block,
  across: number,
  down: number,
): number => {
  let [count, sumOne, sumOther, squareOne, squareOther, product] = [0, 0, 0, 0, 0, 0];
  for (let row = y; row < y + height; row += 1) {
    const otherRow = row + down;
    if (otherRow < 0 || otherRow >= other.height) continue;
    const from = Math.max(x, -across);
    const to = Math.min(x + width, other.width - across);
    for (let column = from; column < to; column += 1) {
      const a = one.data[row * one.width + column] ?? 0;
      const b = other.data[otherRow * other.width + column + across] ?? 0;
      sumOne += a;
      sumOther += b;
      squareOne += a * a;
      squareOther += b * b;
      product += a * b;
    }
    count += Math.max(0, to - from);
  }
  if (count === 0) return -1;
  const spread = (squareOne - (sumOne * sumOne) / count) * (squareOther - (sumOther * sumOther) / count);
  return spread <= 0 ? -1 : (product - (sumOne * sumOther) / count) / Math.sqrt(spread);
};
