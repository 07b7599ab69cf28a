import { type Layer, layerOf } from './layer.ts';

/** Where a point of one print lies in another: x' = a x + b y + c, y' = d x + e y + f, in pixels of prints at full size. */
export type Mapping = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export type Block = Readonly<{ x: number; y: number; size: number }>;
/** A block of one print, how far from where the mapping puts it it was found in the other, and how alike the two are there (-1..1). */
export type Met = Readonly<{ block: Block; across: number; down: number; alike: number }>;

const COARSE = 8;
const SCALES = [0.84, 0.88, 0.92, 0.96, 1, 1.04, 1.08, 1.13, 1.18];
const COARSE_REACH = { across: 5, down: 13 };
/** Levels of refinement: how much smaller, how large a block is there, how far it is looked for. */
const LEVELS = [
  { shrink: 4, size: 14, reach: 3 },
  { shrink: 2, size: 16, reach: 3 },
  { shrink: 1, size: 24, reach: 3 },
  { shrink: 1, size: 24, reach: 2 },
] as const;

/** How one print lies on another, as well as it can be told; null where nothing of them agrees. */
export const align = (one: Layer, other: Layer): Mapping | null => {
  let mapping = roughly(layerOf(one, COARSE), layerOf(other, COARSE));
  if (mapping === null) return null;
  for (const { shrink, size, reach } of LEVELS) {
    const small = layerOf(one, shrink);
    const laid = laidOn(layerOf(other, shrink), small, scaled(mapping, 1 / shrink));
    const met = meet(small, laid, size, reach).filter(({ alike }) => alike > 0.4);
    const found = fitted(mapping, met, shrink);
    if (found === null) return null;
    mapping = found;
  }
  return mapping;
};

/** The best of some scales and shifts, tried on prints so small that all are tried. */
const roughly = (one: Layer, other: Layer): Mapping | null => {
  let best: Readonly<{ alike: number; mapping: Mapping }> | null = null;
  const whole = { x: 0, y: 0, width: one.width, height: one.height };
  for (const scale of SCALES) {
    const c = (other.width - one.width * scale) / 2;
    const f = (other.height - one.height * scale) / 2;
    const laid = laidOn(other, one, [scale, 0, c, 0, scale, f]);
    const { across, down, alike } = nearest(one, laid, whole, COARSE_REACH);
    if (alike > (best?.alike ?? 0.25))
      best = {
        alike,
        mapping: [scale, 0, (c + across * scale) * COARSE, 0, scale, (f + down * scale) * COARSE],
      };
  }
  return best?.mapping ?? null;
};

/** Each block of one print that has ink, and where near the same place it is found in the other. */
export const meet = (one: Layer, laid: Layer, size: number, reach: number): readonly Met[] => {
  const met: Met[] = [];
  for (let y = 0; y + size <= one.height; y += size)
    for (let x = 0; x + size <= one.width; x += size) {
      const block = { x, y, size };
      if (inkIn(one, block) < LEAST_INK * size * size * 255) continue;
      const rectangle = { x, y, width: size, height: size };
      met.push({ block, ...nearest(one, laid, rectangle, { across: reach, down: reach }) });
    }
  return met;
};

const LEAST_INK = 0.03;

/** How much ink a block has. */
export const inkIn = ({ data, width }: Layer, { x, y, size }: Block): number => {
  let sum = 0;
  for (let row = y; row < y + size; row += 1)
    for (let column = x; column < x + size; column += 1) sum += data[row * width + column] ?? 0;
  return sum;
};

type Rectangle = Readonly<{ x: number; y: number; width: number; height: number }>;

/** The shift within reach at which a rectangle is most alike (by normalised correlation). */
const nearest = (
  one: Layer,
  other: Layer,
  rectangle: Rectangle,
  reach: Readonly<{ across: number; down: number }>,
) => {
  let best = { across: 0, down: 0, alike: -1 };
  for (let down = -reach.down; down <= reach.down; down += 1)
    for (let across = -reach.across; across <= reach.across; across += 1) {
      const alike = correlation(one, other, rectangle, across, down);
      if (alike > best.alike) best = { across, down, alike };
    }
  return best;
};

const correlation = (
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

/** A print seen through a mapping: for each pixel of `like` what the other has there. */
export const laidOn = (other: Layer, like: Layer, [a, b, c, d, e, f]: Mapping): Layer => {
  const data = new Uint8Array(like.width * like.height);
  for (let y = 0; y < like.height; y += 1)
    for (let x = 0; x < like.width; x += 1) {
      const across = a * x + b * y + c;
      const down = d * x + e * y + f;
      const left = Math.floor(across);
      const top = Math.floor(down);
      if (left < 0 || top < 0 || left + 1 >= other.width || top + 1 >= other.height) continue;
      const at = top * other.width + left;
      const right = across - left;
      const low = down - top;
      const upper = (other.data[at] ?? 0) * (1 - right) + (other.data[at + 1] ?? 0) * right;
      const lower =
        (other.data[at + other.width] ?? 0) * (1 - right) + (other.data[at + other.width + 1] ?? 0) * right;
      data[y * like.width + x] = upper * (1 - low) + lower * low;
    }
  return { data, width: like.width, height: like.height };
};

export const scaled = ([a, b, c, d, e, f]: Mapping, by: number): Mapping => [a, b, c * by, d, e, f * by];

const FEWEST = 6;

/** The mapping that puts most blocks where they were found: least squares, without those that lie far off. */
const fitted = (mapping: Mapping, met: readonly Met[], shrink: number): Mapping | null => {
  const [a, b, c, d, e, f] = mapping;
  let points = met.map(({ block: { x, y, size }, across, down }) => {
    const [px, py] = [(x + size / 2) * shrink, (y + size / 2) * shrink];
    const [qx, qy] = [px + across * shrink, py + down * shrink];
    return { x: px, y: py, toX: a * qx + b * qy + c, toY: d * qx + e * qy + f };
  });
  let found: Mapping | null = null;
  for (const far of [4, 2, 1.5]) {
    if (points.length < FEWEST) return null;
    const toX = plane(
      points,
      points.map((point) => point.toX),
    );
    const toY = plane(
      points,
      points.map((point) => point.toY),
    );
    if (toX === null || toY === null) return null;
    found = [...toX, ...toY];
    const [A, B, C, D, E, F] = found;
    points = points.filter(
      ({ x, y, ...to }) => Math.hypot(A * x + B * y + C - to.toX, D * x + E * y + F - to.toY) < far * shrink,
    );
  }
  return found;
};

/** The plane through values at points, by least squares; null where the points lie in one line. */
const plane = (
  points: readonly Readonly<{ x: number; y: number }>[],
  values: readonly number[],
): readonly [number, number, number] | null => {
  const count = points.length;
  const mean = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0) / count;
  const middleX = mean(points.map(({ x }) => x));
  const middleY = mean(points.map(({ y }) => y));
  const middle = mean(values);
  let [xx, xy, yy, xv, yv] = [0, 0, 0, 0, 0];
  for (const [n, point] of points.entries()) {
    const x = point.x - middleX;
    const y = point.y - middleY;
    const value = (values[n] ?? 0) - middle;
    xx += x * x;
    xy += x * y;
    yy += y * y;
    xv += x * value;
    yv += y * value;
  }
  const determinant = xx * yy - xy * xy;
  if (Math.abs(determinant) < 1) return null;
  const a = (xv * yy - yv * xy) / determinant;
  const b = (yv * xx - xv * xy) / determinant;
  return [a, b, middle - a * middleX - b * middleY];
};
