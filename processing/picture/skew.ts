import type { Grey } from './grey.ts';
import { inkOf } from './ink.ts';
import { isSideways } from './sideways.ts';

const MOST_DEGREES = 25;
const COARSE = 0.5;
const FINE = 0.1;
const SMALL = 0.3;
const FEWEST_POINTS = 200;

/** How the lines of a picture lie: the degrees to turn it clockwise, and whether they run down the page instead. */
export type Skew = Readonly<{ degrees: number; sideways: boolean }>;

/**
 * Finds how the text of a small copy of a picture lies (some 800 pixels a side). Along lines of text, rows of ink and
 * of paper alternate sharply: that direction is sought. A picture without ink lies straight.
 */
export const skewOf = ({ data, width, height }: Grey): Skew => {
  const ink = inkOf({ data, width, height });
  const points = inkPoints(ink, width);
  if (points.length < FEWEST_POINTS) return { degrees: 0, sideways: false };
  const sideways = isSideways(ink, width, height);
  const degrees = sideways
    ? steepest(
        points.map(([x, y]) => [height - 1 - y, x] as const),
        { width: height, height: width },
      )
    : steepest(points, { width, height });
  return { degrees: Math.abs(degrees) < SMALL ? 0 : degrees, sideways };
};

type Point = readonly [x: number, y: number];
type Size = Pick<Grey, 'width' | 'height'>;

const inkPoints = (ink: Uint8Array, width: number): readonly Point[] => {
  const points: Point[] = [];
  ink.forEach((inked, index) => {
    if (inked === 1) points.push([index % width, Math.floor(index / width)]);
  });
  return points;
};

const steepest = (points: readonly Point[], size: Size): number => {
  const best = (angles: readonly number[]): number =>
    angles
      .map((degrees) => ({ degrees, score: sharpness(points, size, degrees) }))
      .reduce((a, b) => (b.score > a.score ? b : a)).degrees;
  const coarse = best(range(-MOST_DEGREES, MOST_DEGREES, COARSE));
  return best(range(coarse - COARSE, coarse + COARSE, FINE));
};

const range = (from: number, to: number, step: number): readonly number[] =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => from + index * step);

/** How sharply rows differ when points of ink are turned clockwise by some degrees, within a picture of a size: the squares of their steps. */
export const sharpness = (points: readonly Point[], { width, height }: Size, degrees: number): number => {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const offset = Math.ceil(Math.abs(slope) * width);
  const rows = new Float64Array(height + 2 * offset + 2);
  for (const [x, y] of points) {
    const row = Math.round(y + x * slope) + offset;
    rows[row] = (rows[row] ?? 0) + 1;
  }
  return rows.reduce((sum, count, row) => sum + (count - (rows[row - 1] ?? 0)) ** 2, 0);
};
