import type { SimilarPages } from '../../../domain/fraud/pages.ts';
import { align, type Scales } from './align.ts';
import type { Layer } from './layer.ts';
import { laidOn } from './mapping.ts';
import { type Block, inkIn, nearest } from './meet.ts';

/** A part is a square of so many pixels, about three letters, that has ink on one of the pages. It is looked for so far around where it should be. */
const SIZE = 12;
const REACH = 3;
const LEAST_INK = 0.12;
/** A part is the same from this correlation on, and below the other one surely not: of 151 altered copies none had two parts as unlike, and 0.4 % below the first. */
const SAME = 0.6;
const OTHER = 0.5;
const MOST_OTHER = 1;
const MOST_DIFFERENT = 0.03;
/** Of either picture, so much must be on the other: a crop may cut some of it off. */
const LEAST_COMMON = 0.6;
const FEWEST_PARTS = 10;
/** What lies outermost may be specks, and what is cut off on one of them is there in part. */
const OUTERMOST = 0.004;
const EDGE = 4;

/** How many parts of two pages were compared, and how many of them are the same; null where they are two pictures. */
export const compareStrokes = (one: Layer, other: Layer, scales: Scales): SimilarPages['parts'] | null => {
  const mapping = align(one, other, scales);
  if (!mapping) return null;
  const laid = laidOn(other, one, mapping);
  const frame = common(frameOf(one), frameOf(laid));
  const all = partsOf(one, laid);
  const parts = all.filter((part) => isWithin(part, frame));
  const [a, , , , e] = mapping;
  const seen = (inkOf(laid) * a * e) / inkOf(other);
  if (parts.length < FEWEST_PARTS || seen < LEAST_COMMON) return null;
  if (inked(parts, one) < LEAST_COMMON * inked(all, one)) return null;
  const alike = parts.map((part) => likeness(part, one, laid));
  if (alike.filter((value) => value < OTHER).length > MOST_OTHER) return null;
  const same = alike.filter((value) => value >= SAME).length;
  return same >= (1 - MOST_DIFFERENT) * parts.length ? { compared: parts.length, same } : null;
};

const inkOf = ({ data }: Layer): number => data.reduce((sum, value) => sum + value, 0);

const hasInk = (layer: Layer, part: Block): boolean => inkIn(layer, part) >= LEAST_INK * SIZE * SIZE * 255;

const partsOf = (one: Layer, other: Layer): readonly Block[] => {
  const parts: Block[] = [];
  for (let y = 0; y + SIZE <= one.height; y += SIZE)
    for (let x = 0; x + SIZE <= one.width; x += SIZE) {
      const part = { x, y, size: SIZE };
      if (hasInk(one, part) || hasInk(other, part)) parts.push(part);
    }
  return parts;
};

const inked = (parts: readonly Block[], layer: Layer): number =>
  parts.filter((part) => hasInk(layer, part)).length;

/** How alike a part is: of the page that has more ink there, looked for on the other. */
const likeness = (part: Block, one: Layer, other: Layer): number => {
  const [full, empty] = inkIn(one, part) >= inkIn(other, part) ? [one, other] : [other, one];
  const rectangle = { x: part.x, y: part.y, width: SIZE, height: SIZE };
  return nearest(full, empty, rectangle, { across: REACH, down: REACH }).alike;
};

type Frame = Readonly<{ left: number; top: number; right: number; bottom: number }>;

/** Where a picture's ink is, without what lies outermost. */
const frameOf = ({ data, width, height }: Layer): Frame => {
  const columns = new Float64Array(width);
  const rows = new Float64Array(height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const ink = data[y * width + x] ?? 0;
      columns[x] = (columns[x] ?? 0) + ink;
      rows[y] = (rows[y] ?? 0) + ink;
    }
  const [left, right] = spanOf(columns);
  const [top, bottom] = spanOf(rows);
  return { left, top, right, bottom };
};

const spanOf = (counts: Float64Array): readonly [number, number] => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const reached = (share: number): number => {
    let sum = 0;
    return Math.max(
      0,
      counts.findIndex((count) => {
        sum += count;
        return sum >= share * total;
      }),
    );
  };
  return [reached(OUTERMOST), reached(1 - OUTERMOST)];
};

const common = (one: Frame, other: Frame): Frame => ({
  left: Math.max(one.left, other.left) + EDGE,
  top: Math.max(one.top, other.top) + EDGE,
  right: Math.min(one.right, other.right) - EDGE,
  bottom: Math.min(one.bottom, other.bottom) - EDGE,
});

const isWithin = ({ x, y, size }: Block, { left, top, right, bottom }: Frame): boolean =>
  x >= left && y >= top && x + size <= right && y + size <= bottom;
