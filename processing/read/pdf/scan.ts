import type { Box } from '../../../domain/submission/processingResult.ts';
import { union } from '../../page.ts';
import { type Affine, after, boundsOf, inverse, moved, stretched } from '../../picture/affine.ts';
import { type Grey, MAX_PIXELS } from '../../picture/pixels.ts';
import type { Placed } from './pictures.ts';

/** The pictures of a page as one; `toPage` maps pixels to points, `area` is theirs in square points. */
export type Scan = Readonly<{ picture: Grey; toPage: Affine; area: number }>;

/** A scan is drawn in a few strips or layers: more pictures are ornaments, and give null. */
const MAX_PICTURES = 200;
const HALF = 0.5;
const TOLERANCE = 0.05;

/** The pictures of a page as a viewer displays them: a scan may be drawn in strips, in layers, or turned. */
export const scanOf = (all: readonly Placed[]): Scan | null => {
  const placed = all.filter(({ place: [a, b, , d, e] }) => a * e !== b * d);
  const [first, ...others] = placed;
  if (!first || placed.length > MAX_PICTURES) return null;
  const area = placed.reduce((sum, { place, picture }) => sum + areaOf(place) * picture.data.length, 0);
  if (others.length === 0 && isUpright(first)) return { picture: first.picture, toPage: first.place, area };
  const bounds = union(placed.map(boxOf));
  const [wide, high] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const scale = Math.min(finest(placed), Math.sqrt(MAX_PIXELS / 2 / (wide * high)));
  const [width, height] = [sideOf(wide * scale), sideOf(high * scale)];
  const toPage = after(moved(bounds.left, bounds.top), stretched(wide / width, high / height));
  const canvas = { data: new Uint8Array(width * height).fill(255), width, height };
  for (const each of placed) draw(each, canvas, toPage);
  return { picture: canvas, toPage, area };
};

/** However a canvas is stretched, no side is longer. */
const MAX_SIDE = 20_000;

const sideOf = (pixels: number): number => Math.min(MAX_SIDE, Math.max(1, Math.round(pixels)));

const areaOf = ([a, b, , d, e]: Affine): number => Math.abs(a * e - b * d);

const boxOf = ({ picture: { width, height }, place }: Placed): Box =>
  boundsOf(place, { left: 0, top: 0, right: width, bottom: height });

/** Whether a picture needs no drawing: it is neither turned nor stretched. */
const isUpright = ({ alpha, place: [a, b, , d, e] }: Placed): boolean =>
  alpha === null &&
  a > 0 &&
  Math.abs(e - a) < a * TOLERANCE &&
  Math.max(Math.abs(b), Math.abs(d)) < a * TOLERANCE;

/** The pixels a point of the finest large picture on its finer axis: a fax has no square pixels. */
const finest = (placed: readonly Placed[]): number => {
  const sizes = placed.map(({ picture, place }) => areaOf(place) * picture.data.length);
  const large = placed.filter((_, index) => (sizes[index] ?? 0) >= HALF * Math.max(...sizes));
  return Math.max(
    ...large.map(({ place: [a, b, , d, e] }) => 1 / Math.min(Math.hypot(a, d), Math.hypot(b, e))),
  );
};

/** Draws a picture at its place: each pixel of the canvas takes that of the picture under its centre. */
const draw = (placed: Placed, canvas: Grey, toPage: Affine): void => {
  const { picture, alpha, place } = placed;
  const [a, b, c, d, e, f] = after(inverse(place), toPage);
  const box = boundsOf(inverse(toPage), boxOf(placed));
  const [right, bottom] = [Math.min(canvas.width, box.right), Math.min(canvas.height, box.bottom)];
  for (let y = Math.max(0, Math.floor(box.top)); y < bottom; y += 1)
    for (let x = Math.max(0, Math.floor(box.left)); x < right; x += 1) {
      const column = Math.floor(a * (x + HALF) + b * (y + HALF) + c);
      const row = Math.floor(d * (x + HALF) + e * (y + HALF) + f);
      if (column < 0 || row < 0 || column >= picture.width || row >= picture.height) continue;
      const from = row * picture.width + column;
      const at = y * canvas.width + x;
      const share = (alpha?.[from] ?? 255) / 255;
      canvas.data[at] = Math.round(
        (picture.data[from] ?? 255) * share + (canvas.data[at] ?? 255) * (1 - share),
      );
    }
};
