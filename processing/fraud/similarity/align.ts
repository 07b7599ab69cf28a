import type { Affine } from '../../picture/affine.ts';
import { type Block, bestShift, blocksOf, hasInk, type Layer, mapped, shrunk } from './layer.ts';

const COARSE = 8;
/** Relative scales of two copies: the usual ones, and those where specks at an edge widened one's window. */
const SCALES = {
  near: [0.84, 0.88, 0.92, 0.96, 1, 1.04, 1.08, 1.13, 1.18],
  far: [0.68, 0.72, 0.76, 0.8, 1.24, 1.3, 1.36, 1.43],
} as const;
export type Scales = keyof typeof SCALES;
const COARSE_REACH = [5, 13] as const;
const MIN_COARSE_CORRELATION = 0.25;
/** Levels of refinement: the factor by which layers are shrunk, the side of a block, and its reach. */
const LEVELS = [
  { factor: 4, side: 14, reach: 3 },
  { factor: 2, side: 16, reach: 3 },
  { factor: 1, side: 24, reach: 3 },
  { factor: 1, side: 24, reach: 2 },
] as const;
const MIN_INK = 0.03;
const MIN_CORRELATION = 0.4;

/** The mapping of one layer's pixels to the other's that fits best, near some scales; null for none. */
export const align = (one: Layer, other: Layer, scales: Scales): Affine | null => {
  let mapping = roughly(shrunk(one, COARSE), shrunk(other, COARSE), SCALES[scales]);
  for (const { factor, side, reach } of LEVELS) {
    if (mapping === null) return null;
    const small = shrunk(one, factor);
    const [a, b, c, d, e, f] = mapping;
    const laid = mapped(shrunk(other, factor), small, [a, b, c / factor, d, e, f / factor]);
    const matches = blocksOf(small, side)
      .filter((block) => hasInk(small, block, MIN_INK))
      .map((block) => ({ block, ...bestShift(small, laid, block, reach, reach) }))
      .filter(({ correlation }) => correlation > MIN_CORRELATION);
    mapping = fitted(mapping, matches, factor);
  }
  return mapping;
};

/** The best of some scales and all shifts, tried on small layers. */
const roughly = (one: Layer, other: Layer, scales: readonly number[]): Affine | null => {
  let [best, mapping]: [number, Affine | null] = [MIN_COARSE_CORRELATION, null];
  const whole = { x: 0, y: 0, width: one.width, height: one.height };
  for (const scale of scales) {
    const c = (other.width - one.width * scale) / 2;
    const f = (other.height - one.height * scale) / 2;
    const laid = mapped(other, one, [scale, 0, c, 0, scale, f]);
    const { across, down, correlation } = bestShift(one, laid, whole, ...COARSE_REACH);
    if (correlation <= best) continue;
    best = correlation;
    mapping = [scale, 0, (c + across * scale) * COARSE, 0, scale, (f + down * scale) * COARSE];
  }
  return mapping;
};

type BlockMatch = Readonly<{ block: Block; across: number; down: number }>;

const MIN_MATCHES = 6;

/** The mapping that fits the matches by least squares, without outliers; null where too few remain. */
const fitted = (
  [a, b, c, d, e, f]: Affine,
  matches: readonly BlockMatch[],
  factor: number,
): Affine | null => {
  let points = matches.map(({ block: { x, y, width, height }, across, down }) => {
    const [px, py] = [(x + width / 2) * factor, (y + height / 2) * factor];
    const [qx, qy] = [px + across * factor, py + down * factor];
    return { x: px, y: py, toX: a * qx + b * qy + c, toY: d * qx + e * qy + f };
  });
  let found: Affine | null = null;
  for (const far of [4, 2, 1.5]) {
    if (points.length < MIN_MATCHES) return null;
    const [toX, toY] = [plane(points, ({ toX: x }) => x), plane(points, ({ toY: y }) => y)];
    if (toX === null || toY === null) return null;
    found = [...toX, ...toY];
    const [A, B, C, D, E, F] = found;
    points = points.filter(
      ({ x, y, ...to }) => Math.hypot(A * x + B * y + C - to.toX, D * x + E * y + F - to.toY) < far * factor,
    );
  }
  return found;
};

/** The plane through values at points, by least squares; null where the points lie in one line. */
const plane = <Point extends Readonly<{ x: number; y: number }>>(
  points: readonly Point[],
  valueAt: (point: Point) => number,
): readonly [number, number, number] | null => {
  const mean = (of: (point: Point) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [middleX, middleY, middle] = [mean(({ x }) => x), mean(({ y }) => y), mean(valueAt)];
  let [xx, xy, yy, xv, yv] = [0, 0, 0, 0, 0];
  for (const point of points) {
    const [x, y, value] = [point.x - middleX, point.y - middleY, valueAt(point) - middle];
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
