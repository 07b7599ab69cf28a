import type { Affine } from '../../picture/affine.ts';
import type { BlockMatch } from './blocks.ts';
import type { Layer } from './layer.ts';

/** A layer seen through a mapping: for each pixel of `like` what the other has there. */
export const laidOn = (other: Layer, like: Layer, [a, b, c, d, e, f]: Affine): Layer => {
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

/** The same mapping for layers of another size. */
export const scaled = ([a, b, c, d, e, f]: Affine, by: number): Affine => [a, b, c * by, d, e, f * by];

const MIN_MATCHES = 6;

/** The mapping that fits the matches of blocks by least squares, without outliers; null where too few are left. */
export const fitted = (mapping: Affine, matches: readonly BlockMatch[], shrink: number): Affine | null => {
  const [a, b, c, d, e, f] = mapping;
  let points = matches.map(({ block: { x, y, size }, across, down }) => {
    const [px, py] = [(x + size / 2) * shrink, (y + size / 2) * shrink];
    const [qx, qy] = [px + across * shrink, py + down * shrink];
    return { x: px, y: py, toX: a * qx + b * qy + c, toY: d * qx + e * qy + f };
  });
  let found: Affine | null = null;
  for (const far of [4, 2, 1.5]) {
    if (points.length < MIN_MATCHES) return null;
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
