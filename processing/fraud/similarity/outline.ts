import type { Grey } from '../../picture/pixels.ts';
import { range, sharpest } from '../../picture/skew.ts';
import { type Strokes, strokesOf } from './strokes.ts';

const WIDTH = 320;
const MAX_HEIGHT = 1_280;
const SMALL = 400;
/** The size of the window relative to the bulk of the strokes. */
const WIDER = 1.3;
/** The share of strokes at each side that is not bulk: specks or an edge must not move the window. */
const OUTERMOST = 0.08;
const MIN_POINTS = 150;

/** A window of a picture: its middle and size in the picture's pixels, turned by some degrees (clockwise). */
type Window = Readonly<{ x: number; y: number; width: number; height: number; degrees: number }>;

/** A little of what lies outside is seen too. */
const OUTSIDE = 1.06;

/**
 * The strokes of a grey picture, level, 320 pixels wide, in a window around the bulk of them, so that
 * margins, crops and specks move it little. Null where there are hardly any.
 */
export const outlineOf = (grey: Grey): Strokes | null => {
  const { width, height } = grey;
  const size = { width: width * OUTSIDE, height: height * OUTSIDE };
  const rough = windowOf(grey, { x: width / 2, y: height / 2, ...size, degrees: 0 });
  const window = rough && windowOf(grey, rough);
  if (!window) return null;
  const maxHeight = (window.width * MAX_HEIGHT) / WIDTH;
  return strokesOf(resample(grey, { ...window, height: Math.min(window.height, maxHeight) }, WIDTH));
};

/** The window around the bulk of the strokes, as seen in another window. */
const windowOf = (grey: Grey, view: Window): Window | null => {
  const width = Math.min(SMALL, Math.round(view.width));
  const scale = view.width / width;
  const strokes = strokesOf(resample(grey, view, width));
  const turn = skewOf(strokes);
  const bulk = bulkOf(strokes, turn);
  if (!bulk) return null;
  const degrees = view.degrees + turn;
  const [cos, sin] = [Math.cos(radians(degrees)), Math.sin(radians(degrees))];
  return {
    x: view.x + (bulk.x * cos - bulk.y * sin) * scale,
    y: view.y + (bulk.x * sin + bulk.y * cos) * scale,
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

/** The skew of lines of text in degrees (clockwise): where rows of ink, turned back, are sharpest. */
const skewOf = ({ data, width, height }: Strokes): number => {
  const points: (readonly [number, number])[] = [];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) if (data[y * width + x]) points.push([x - width / 2, y]);
  const every = Math.max(1, Math.ceil(points.length / MAX_POINTS));
  const some = points.filter((_, n) => n % every === 0);
  return -sharpest(some, { width, height }, [0, ...range(MAX_SKEW, -MAX_SKEW, -SKEW_STEP)]);
};

/**
 * A window of a picture, `width` pixels wide; each is the mean of what it covers. Outside of the picture is
 * black, as are often the corners of a turned one: a large dark surface has no strokes.
 */
const resample = (grey: Grey, window: Window, width: number): Grey => {
  const scale = window.width / width;
  const height = Math.max(1, Math.round(window.height / scale));
  const samples = Math.max(1, Math.ceil(scale));
  const step = scale / samples;
  const cos = Math.cos(radians(window.degrees)) * step;
  const sin = Math.sin(radians(window.degrees)) * step;
  const [middleX, middleY] = [(width * samples) / 2 - 0.5, (height * samples) / 2 - 0.5];
  const data = new Uint8Array(width * height);
  const sums = new Uint32Array(width);
  for (let row = 0; row < height; row += 1) {
    sums.fill(0);
    for (let line = row * samples; line < (row + 1) * samples; line += 1)
      for (let place = 0; place < width * samples; place += 1) {
        const x = Math.floor(window.x + (place - middleX) * cos - (line - middleY) * sin);
        const y = Math.floor(window.y + (place - middleX) * sin + (line - middleY) * cos);
        const inside = x >= 0 && y >= 0 && x < grey.width && y < grey.height;
        const column = (place / samples) | 0;
        sums[column] = (sums[column] ?? 0) + (inside ? (grey.data[y * grey.width + x] ?? 0) : 0);
      }
    for (let column = 0; column < width; column += 1)
      data[row * width + column] = (sums[column] ?? 0) / (samples * samples);
  }
  return { data, width, height };
};
