import { inkOf } from './letters.ts';
import type { Grey, Size } from './pixels.ts';

const MAX_DEGREES = 25;
const COARSE = 0.5;
const FINE = 0.1;
const MIN_DEGREES = 0.3;
const MIN_POINTS = 200;

/** The degrees to turn a picture clockwise, and whether its lines run down the page. */
export type Skew = Readonly<{ degrees: number; sideways: boolean }>;

/**
 * The skew of the text on a small copy of a picture (some 800 pixels a side): along lines of text, rows of
 * ink and of paper alternate sharply. A picture without ink has none.
 */
export const skewOf = (picture: Grey): Skew => {
  const { width, height } = picture;
  const ink = inkOf(picture);
  const points = inkPoints(ink, width);
  if (points.length < MIN_POINTS) return { degrees: 0, sideways: false };
  const sideways = isSideways(ink, width, height);
  const degrees = sideways
    ? levelled(
        points.map(([x, y]) => [height - 1 - y, x] as const),
        { width: height, height: width },
      )
    : levelled(points, { width, height });
  return { degrees: Math.abs(degrees) < MIN_DEGREES ? 0 : degrees, sideways };
};

type Point = readonly [x: number, y: number];

const inkPoints = (ink: Uint8Array, width: number): readonly Point[] => {
  const points: Point[] = [];
  ink.forEach((inked, at) => {
    if (inked === 1) points.push([at % width, Math.floor(at / width)]);
  });
  return points;
};

const levelled = (points: readonly Point[], size: Size): number => {
  const coarse = sharpest(points, size, range(-MAX_DEGREES, MAX_DEGREES, COARSE));
  return sharpest(points, size, range(coarse - COARSE, coarse + COARSE, FINE));
};

/** The numbers from one to another in steps. */
export const range = (from: number, to: number, step: number): readonly number[] =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => from + index * step);

/**
 * The first of the angles (in degrees) at which rows of ink, within a picture of a size, differ most sharply
 * when they are turned clockwise by it.
 */
export const sharpest = (points: readonly Point[], size: Size, angles: readonly number[]): number =>
  angles
    .map((degrees) => ({ degrees, score: sharpness(points, size, degrees) }))
    .reduce((a, b) => (b.score > a.score ? b : a)).degrees;

/** The sum of the squared steps between rows of turned points. */
const sharpness = (points: readonly Point[], { width, height }: Size, degrees: number): number => {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const offset = Math.ceil(Math.abs(slope) * width);
  const rows = new Float64Array(height + 2 * offset + 2);
  for (const [x, y] of points) {
    const row = Math.round(y + x * slope) + offset;
    rows[row] = (rows[row] ?? 0) + 1;
  }
  return rows.reduce((sum, count, row) => sum + (count - (rows[row - 1] ?? 0)) ** 2, 0);
};

const SHORT_GAP = 6;
const MAX_GAP = 40;
const MIN_SIDEWAYS_RATIO = 1.3;

/**
 * Whether lines of text run down a small picture, by the gaps between pixels of ink: letters stand closer to
 * their neighbours in the line than to the next line, so along a line gaps are more, and shorter.
 */
const isSideways = (ink: Uint8Array, width: number, height: number): boolean => {
  const across = gapsAlong(height, width, (line, at) => ink[line * width + at] === 1);
  const down = gapsAlong(width, height, (line, at) => ink[at * width + line] === 1);
  if (across.short === 0 || down.short === 0) return down.short > across.short;
  return (down.short / across.short) * (across.mean / down.mean) > MIN_SIDEWAYS_RATIO;
};

/** How many gaps are short, and the mean length of those of at most MAX_GAP pixels. */
const gapsAlong = (lines: number, length: number, isInk: (line: number, at: number) => boolean) => {
  let [short, count, sum] = [0, 0, 0];
  for (let line = 0; line < lines; line += 1) {
    let last = -1;
    for (let at = 0; at < length; at += 1) {
      if (!isInk(line, at)) continue;
      const gap = at - last - 1;
      if (last >= 0 && gap > 0 && gap <= MAX_GAP) {
        count += 1;
        sum += gap;
        if (gap <= SHORT_GAP) short += 1;
      }
      last = at;
    }
  }
  return { short, mean: sum / Math.max(1, count) };
};
