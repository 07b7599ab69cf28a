import type { SimilarPages } from '../../../domain/fraud/pages.ts';
import { align, type Scales } from './align.ts';
import { type Block, bestShift, inkIn } from './blocks.ts';
import type { Layer } from './layer.ts';
import { laidOn } from './mapping.ts';

/** A part is a square of 12 pixels, about three letters, with ink on one of the pages; it is searched 3 pixels around. */
const SIZE = 12;
const REACH = 3;
const MIN_INK = 0.12;
/** Correlations: from SAME on a part is the same, below OTHER surely not. Of 151 altered copies none had two parts below OTHER, and 0.4 % were below SAME. */
const SAME = 0.6;
const OTHER = 0.5;
const MAX_OTHER = 1;
const MAX_DIFFERENT = 0.03;
/** The share of either picture that must be on the other: a crop cuts some of it off. */
const MIN_COMMON = 0.6;
const MIN_PARTS = 10;
/** The outermost ink may be specks, or cut off on one of the pages. */
const OUTERMOST = 0.004;
const EDGE = 4;

/** How many parts of two pages were compared, and how many are the same; null for two pictures. */
export const compareStrokes = (one: Layer, other: Layer, scales: Scales): SimilarPages['parts'] | null => {
  const mapping = align(one, other, scales);
  if (!mapping) return null;
  const laid = laidOn(other, one, mapping);
  const frame = common(frameOf(one), frameOf(laid));
  const all = partsOf(one, laid);
  const parts = all.filter((part) => isWithin(part, frame));
  const [a, , , , e] = mapping;
  const visible = (inkOf(laid) * a * e) / inkOf(other);
  if (parts.length < MIN_PARTS || visible < MIN_COMMON) return null;
  if (inked(parts, one) < MIN_COMMON * inked(all, one)) return null;
  const correlations = parts.map((part) => correlationOf(part, one, laid));
  if (correlations.filter((value) => value < OTHER).length > MAX_OTHER) return null;
  const same = correlations.filter((value) => value >= SAME).length;
  return same >= (1 - MAX_DIFFERENT) * parts.length ? { compared: parts.length, same } : null;
};

const inkOf = ({ data }: Layer): number => data.reduce((sum, value) => sum + value, 0);

const hasInk = (layer: Layer, part: Block): boolean => inkIn(layer, part) >= MIN_INK * SIZE * SIZE * 255;

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

/** The best correlation of a part: of the page with more ink there, searched on the other. */
const correlationOf = (part: Block, one: Layer, other: Layer): number => {
  const [full, empty] = inkIn(one, part) >= inkIn(other, part) ? [one, other] : [other, one];
  const rectangle = { x: part.x, y: part.y, width: SIZE, height: SIZE };
  return bestShift(full, empty, rectangle, { across: REACH, down: REACH }).correlation;
};

type Frame = Readonly<{ left: number; top: number; right: number; bottom: number }>;

/** The frame of a picture's ink, without the outermost. */
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
