import type { SimilarPages } from '../../../domain/fraud/pages.ts';
import type { Box } from '../../../domain/submission/processingResult.ts';
import { align, type Scales } from './align.ts';
import { type Block, bestShift, blocksOf, hasInk, inkIn, type Layer, mapped } from './layer.ts';
import { profilesOf } from './strokes.ts';

/** A part is a square of about three letters with ink on one of the pages, searched REACH pixels around. */
const SIZE = 12;
const REACH = 3;
const MIN_INK = 0.12;
/**
 * Correlations: from SAME on a part is the same, below OTHER surely not. Of 151 altered copies none had two
 * parts below OTHER, and 0.4 % were below SAME.
 */
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
  const laid = mapped(other, one, mapping);
  const frame = common(frameOf(one), frameOf(laid));
  const all = blocksOf(one, SIZE).filter((part) => isInked(one, part) || isInked(laid, part));
  const parts = all.filter((part) => isWithin(part, frame));
  const [a, , , , e] = mapping;
  const visible = (inkOf(laid) * a * e) / inkOf(other);
  if (parts.length < MIN_PARTS || visible < MIN_COMMON) return null;
  const inked = (some: readonly Block[]): number => some.filter((part) => isInked(one, part)).length;
  if (inked(parts) < MIN_COMMON * inked(all)) return null;
  const correlations = parts.map((part) => correlationOf(part, one, laid));
  if (correlations.filter((value) => value < OTHER).length > MAX_OTHER) return null;
  const same = correlations.filter((value) => value >= SAME).length;
  return same >= (1 - MAX_DIFFERENT) * parts.length ? { compared: parts.length, same } : null;
};

const inkOf = ({ data }: Layer): number => data.reduce((sum, value) => sum + value, 0);

const isInked = (layer: Layer, part: Block): boolean => hasInk(layer, part, MIN_INK);

/** The best correlation of a part: of the page with more ink there, searched on the other. */
const correlationOf = (part: Block, one: Layer, other: Layer): number => {
  const [full, empty] = inkIn(one, part) >= inkIn(other, part) ? [one, other] : [other, one];
  return bestShift(full, empty, part, REACH, REACH).correlation;
};

/** The frame of a picture's ink, without the outermost. */
const frameOf = (layer: Layer): Box => {
  const { columns, rows } = profilesOf(layer);
  const [left, right] = spanOf(columns);
  const [top, bottom] = spanOf(rows);
  return { left, top, right, bottom };
};

const spanOf = (counts: Float64Array): readonly [number, number] => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const reached = (share: number): number => {
    let sum = 0;
    const at = counts.findIndex((count) => {
      sum += count;
      return sum >= share * total;
    });
    return Math.max(0, at);
  };
  return [reached(OUTERMOST), reached(1 - OUTERMOST)];
};

const common = (one: Box, other: Box): Box => ({
  left: Math.max(one.left, other.left) + EDGE,
  top: Math.max(one.top, other.top) + EDGE,
  right: Math.min(one.right, other.right) - EDGE,
  bottom: Math.min(one.bottom, other.bottom) - EDGE,
});

const isWithin = ({ x, y, width, height }: Block, { left, top, right, bottom }: Box): boolean =>
  x >= left && y >= top && x + width <= right && y + height <= bottom;
