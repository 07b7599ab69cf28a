import type { Box } from '../../domain/submission/processingResult.ts';
import type { Size } from './pixels.ts';

/** A point of a picture, in pixels. */
export type Point = Readonly<{ x: number; y: number }>;

/**
 * A rectangle that may lie askew: its middle, its sides, and the direction of its width, which runs from left
 * to right and is at most 45° askew.
 */
export type Rectangle = Readonly<{ middle: Point; width: number; height: number; direction: Point }>;

/** The rectangle of the smallest area around points, of which there must be one. */
export const smallestRectangle = (points: readonly Point[]): Rectangle => {
  const hull = hullOf(points);
  let [smallest, least] = [around(hull, { x: 1, y: 0 }), Number.POSITIVE_INFINITY];
  hull.forEach((from, index) => {
    const to = hull[(index + 1) % hull.length] ?? from;
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    if (length === 0) return;
    const one = around(hull, level({ x: (to.x - from.x) / length, y: (to.y - from.y) / length }));
    const area = one.width * one.height;
    if (area < least) [smallest, least] = [one, area];
  });
  return smallest;
};

/** A rectangle that reaches further by some pixels on every side. */
export const grown = (rectangle: Rectangle, by: number): Rectangle => ({
  ...rectangle,
  width: rectangle.width + 2 * by,
  height: rectangle.height + 2 * by,
});

/** The same in a picture that is turned by 180 degrees. */
export const turnedRound = (rectangle: Rectangle, picture: Size): Rectangle => ({
  ...rectangle,
  middle: { x: picture.width - rectangle.middle.x, y: picture.height - rectangle.middle.y },
});

/** The same in a picture whose sides are scaled by two factors, which differ little. */
export const scaled = (rectangle: Rectangle, across: number, down: number): Rectangle => {
  const { middle, width, height, direction } = rectangle;
  const [x, y] = [direction.x * across, direction.y * down];
  const length = Math.hypot(x, y);
  return {
    middle: { x: middle.x * across, y: middle.y * down },
    width: width * length,
    height: height * Math.hypot(direction.y * across, direction.x * down),
    direction: { x: x / length, y: y / length },
  };
};

/** Where a point lies that is so many pixels from a rectangle's left and top. */
export const pointIn = ({ middle, width, height, direction }: Rectangle, across: number, down: number) => {
  const [x, y] = [across - width / 2, down - height / 2];
  return { x: middle.x + x * direction.x - y * direction.y, y: middle.y + x * direction.y + y * direction.x };
};

/** The smallest upright box around the part of a rectangle between two distances from its left. */
export const boxOf = (rectangle: Rectangle, from = 0, to = rectangle.width): Box => {
  const corners = [from, to].flatMap((x) => [0, rectangle.height].map((y) => pointIn(rectangle, x, y)));
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
};

/** A direction turned by quarters until it is at most 45° from left to right. */
const level = ({ x, y }: Point): Point => {
  const [across, down] = Math.abs(x) >= Math.abs(y) ? [x, y] : [y, -x];
  return across < 0 ? { x: -across, y: -down } : { x: across, y: down };
};

const around = (points: readonly Point[], direction: Point): Rectangle => {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    const [across, down] = [x * direction.x + y * direction.y, y * direction.x - x * direction.y];
    [left, right] = [Math.min(left, across), Math.max(right, across)];
    [top, bottom] = [Math.min(top, down), Math.max(bottom, down)];
  }
  const [across, down] = [(left + right) / 2, (top + bottom) / 2];
  const middle = {
    x: across * direction.x - down * direction.y,
    y: across * direction.y + down * direction.x,
  };
  return { middle, width: right - left, height: bottom - top, direction };
};

/** The corners of the convex hull of points, in order. */
const hullOf = (points: readonly Point[]): readonly Point[] => {
  const sorted = points.toSorted((a, b) => a.x - b.x || a.y - b.y);
  const half = (ordered: readonly Point[]): readonly Point[] => {
    const chain: Point[] = [];
    for (const point of ordered) {
      while (chain.length >= 2 && turn(chain.at(-2), chain.at(-1), point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  const hull = [...half(sorted), ...half(sorted.toReversed())];
  return hull.length === 0 ? points.slice(0, 1) : hull;
};

/** Whether the way over three points turns to one side (positive), to the other, or not at all. */
const turn = (a: Point | undefined, b: Point | undefined, c: Point): number =>
  a && b ? (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) : 0;
