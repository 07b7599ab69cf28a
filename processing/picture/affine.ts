import type { Box } from '../../domain/submission/processingResult.ts';
import type { Size } from './pixels.ts';

/** An affine map of points: x' = a·x + b·y + c, y' = d·x + e·y + f. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Scales each axis by a factor. */
export const stretched = (x: number, y: number): Affine => [x, 0, 0, 0, y, 0];

/** Moves every point. */
export const moved = (x: number, y: number): Affine => [1, 0, x, 0, 1, y];

/** The map back from a picture that was turned clockwise about its centre, on a canvas that grew with it. */
export const turnedBack = (degrees: number, from: Size, to: Size): Affine => {
  const radians = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const toCentre = moved(-to.width / 2, -to.height / 2);
  return after(moved(from.width / 2, from.height / 2), after([cos, sin, 0, -sin, cos, 0], toCentre));
};

/** The map that does `first`, then `second`. */
export const after = (second: Affine, first: Affine): Affine => {
  const [a, b, c, d, e, f] = second;
  const [g, h, i, j, k, l] = first;
  return [a * g + b * j, a * h + b * k, a * i + b * l + c, d * g + e * j, d * h + e * k, d * i + e * l + f];
};

/** The inverse map. Throws RangeError for one that maps all points to a line. */
export const inverse = ([a, b, c, d, e, f]: Affine): Affine => {
  const area = a * e - b * d;
  if (area === 0) throw new RangeError('a map to a line has no inverse');
  return [e / area, -b / area, (b * f - c * e) / area, -d / area, a / area, (c * d - a * f) / area];
};

/** The smallest upright box around a mapped one. */
export const boundsOf = ([a, b, c, d, e, f]: Affine, { left, top, right, bottom }: Box): Box => {
  const corners = [left, right].flatMap((x) => [top, bottom].map((y) => ({ x, y })));
  const xs = corners.map(({ x, y }) => a * x + b * y + c);
  const ys = corners.map(({ x, y }) => d * x + e * y + f);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
};

/** The same in whole units, clipped to a page. */
export const mapBox = (map: Affine, box: Box, page: Size): Box => {
  const within = (value: number, max: number): number => Math.min(max, Math.max(0, Math.round(value)));
  const { left, top, right, bottom } = boundsOf(map, box);
  return {
    left: within(left, page.width),
    top: within(top, page.height),
    right: within(right, page.width),
    bottom: within(bottom, page.height),
  };
};

/** An affine map as PDF writes it: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly number[];

/** The map of a PDF's matrix. */
export const affineOf = ([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Matrix): Affine => [a, c, e, b, d, f];
