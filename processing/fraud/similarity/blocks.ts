import type { Layer } from './layer.ts';

export type Block = Readonly<{ x: number; y: number; size: number }>;
/** A block of one layer, its shift in the other from where the mapping puts it, and their correlation there (-1..1). */
export type BlockMatch = Readonly<{ block: Block; across: number; down: number; correlation: number }>;

/** Finds each block of one layer that has ink near the same place in the other. */
export const matchBlocks = (one: Layer, laid: Layer, size: number, reach: number): readonly BlockMatch[] => {
  const matches: BlockMatch[] = [];
  for (let y = 0; y + size <= one.height; y += size)
    for (let x = 0; x + size <= one.width; x += size) {
      const block = { x, y, size };
      if (inkIn(one, block) < MIN_INK * size * size * 255) continue;
      const rectangle = { x, y, width: size, height: size };
      matches.push({ block, ...bestShift(one, laid, rectangle, { across: reach, down: reach }) });
    }
  return matches;
};

const MIN_INK = 0.03;

/** The sum of a block's ink. */
export const inkIn = ({ data, width }: Layer, { x, y, size }: Block): number => {
  let sum = 0;
  for (let row = y; row < y + size; row += 1)
    for (let column = x; column < x + size; column += 1) sum += data[row * width + column] ?? 0;
  return sum;
};

type Rectangle = Readonly<{ x: number; y: number; width: number; height: number }>;

/** The shift within reach with the best normalised correlation. */
export const bestShift = (
  one: Layer,
  other: Layer,
  rectangle: Rectangle,
  reach: Readonly<{ across: number; down: number }>,
) => {
  let best = { across: 0, down: 0, correlation: -1 };
  for (let down = -reach.down; down <= reach.down; down += 1)
    for (let across = -reach.across; across <= reach.across; across += 1) {
      const correlation = correlationAt(one, other, rectangle, across, down);
      if (correlation > best.correlation) best = { across, down, correlation };
    }
  return best;
};

const correlationAt = (
  one: Layer,
  other: Layer,
  { x, y, width, height }: Rectangle,
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
