import type { Grey } from '../../picture/grey.ts';
import { sharpness } from '../../picture/skew.ts';
import { resample, type Window, wholeOf } from './resample.ts';
import { type Strokes, strokesOf } from './strokes.ts';

const WIDTH = 320;
const MAX_HEIGHT = 1_280;
const SMALL = 400;
/** The size of the window relative to the bulk of the strokes. */
const WIDER = 1.3;
/** The share of the strokes at each side that is not bulk: specks, staples, an edge must not move the window. */
const OUTERMOST = 0.08;
const MIN_POINTS = 150;

/**
 * The strokes of a grey picture, level, 320 pixels wide, in a window around the bulk of them, so that margins, crops and
 * specks move it little. Null where there are hardly any.
 */
export const outlineOf = (grey: Grey): Strokes | null => {
  const rough = windowOf(grey, wholeOf(grey));
  const window = rough && windowOf(grey, rough);
  if (!window) return null;
  const height = Math.min(window.height, (window.width * MAX_HEIGHT) / WIDTH);
  return strokesOf(resample(grey, { ...window, height }, WIDTH));
};

/** The window around the bulk of the strokes, as seen in another window. */
const windowOf = (grey: Grey, look: Window): Window | null => {
  const width = Math.min(SMALL, Math.round(look.width));
  const scale = look.width / width;
  const strokes = strokesOf(resample(grey, look, width));
  const turn = skewOf(strokes);
  const bulk = bulkOf(strokes, turn);
  if (!bulk) return null;
  const degrees = look.degrees + turn;
  const [cos, sin] = [Math.cos(radians(degrees)), Math.sin(radians(degrees))];
  return {
    x: look.x + (bulk.x * cos - bulk.y * sin) * scale,
    y: look.y + (bulk.x * sin + bulk.y * cos) * scale,
    width: WIDER * bulk.width * scale,
    height: WIDER * bulk.height * scale,
    degrees,
  };
};

/** The bulk of strokes that are turned level: its middle from the picture's middle, and its size. */
const bulkOf = ({ data, width, height }: Strokes, degrees: number) => {
  const [cos, sin] = [Math.cos(radians(degrees)), Math.sin(radians(degrees))];
  const xs: number[] = [];
  const ys: number[] = [];
  for (let at = 0; at < data.length; at += 1) {
    if (!data[at]) continue;
    const x = (at % width) - width / 2;
    const y = Math.floor(at / width) - height / 2;
    xs.push(x * cos + y * sin);
    ys.push(y * cos - x * sin);
  }
  if (xs.length < MIN_POINTS) return null;
  const across = spanOf(xs);
  const down = spanOf(ys);
  return { x: across.middle, y: down.middle, width: across.length, height: down.length };
};

const MIN_LENGTH = 8;

const spanOf = (values: readonly number[]) => {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const [low, high] = [at(OUTERMOST), at(1 - OUTERMOST)];
  return { middle: (low + high) / 2, length: Math.max(MIN_LENGTH, high - low) };
};

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

const MAX_SKEW = 6;
const SKEW_STEP = 0.25;
const MAX_POINTS = 20_000;

/** The skew of lines of text in degrees (clockwise), at most 6: where rows of ink, turned back, are sharpest. */
const skewOf = ({ data, width, height }: Strokes): number => {
  const points: (readonly [number, number])[] = [];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) if (data[y * width + x]) points.push([x - width / 2, y]);
  const every = Math.max(1, Math.ceil(points.length / MAX_POINTS));
  const some = points.filter((_, n) => n % every === 0);
  const sharpnessAt = (degrees: number): number => sharpness(some, { width, height }, -degrees);
  let best = 0;
  let most = sharpnessAt(0);
  for (let degrees = -MAX_SKEW; degrees <= MAX_SKEW; degrees += SKEW_STEP) {
    const found = sharpnessAt(degrees);
    if (found > most) {
      most = found;
      best = degrees;
    }
  }
  return best;
};
