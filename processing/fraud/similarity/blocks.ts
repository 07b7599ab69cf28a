import type { Layer } from './layer.ts';

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
