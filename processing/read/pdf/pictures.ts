import { type Affine, after } from '../../picture/affine.ts';
import type { Grey } from '../../picture/grey.ts';
import { affineOf, type Matrix } from './matrix.ts';

/**
 * A picture where it stands on a page: `place` maps its pixels to points of the page as a viewer shows it. Where
 * `cover` is there, it tells how much of what is below each pixel hides, 0 to 255.
 */
export type Placed = Readonly<{ picture: Grey; cover: Uint8Array | null; place: Affine }>;

type Shown = Omit<Placed, 'place'>;

/** A picture as PDF.js gives it: in one bit, rows padded to bytes, 1 for white; or a byte for grey, three for colours, four with cover. */
type Pixels = Readonly<{ data: Uint8Array; width: number; height: number }>;

/** What is drawn on a page, as PDF.js lists it. */
export type Drawing = Readonly<{
  operations: readonly number[];
  given: readonly (readonly unknown[] | null)[];
  /** The numbers of operations by their names. */
  named: Readonly<Record<string, number>>;
  find: (key: string) => Promise<unknown>;
}>;

/** The pictures that are drawn on a page, in that order; `toPage` maps from the page as it is written. */
export const placedPictures = async (
  { operations, given, named, find }: Drawing,
  toPage: Affine,
): Promise<readonly Placed[]> => {
  const placed: Placed[] = [];
  // One that is drawn a thousand times is held once.
  const seen = new Map<unknown, Shown | null>();
  const kept: Affine[] = [];
  let now = toPage;
  for (const [index, operation] of operations.entries()) {
    const [first, ...rest] = given[index] ?? [];
    if (operation === named.save || operation === named.paintFormXObjectBegin) kept.push(now);
    if (operation === named.restore || operation === named.paintFormXObjectEnd) now = kept.pop() ?? now;
    if (operation === named.transform) now = after(now, affineOf([first, ...rest].filter(isNumber)));
    if (operation === named.paintFormXObjectBegin && isMatrix(first)) now = after(now, affineOf(first));
    const isMask = operation === named.paintImageMaskXObject;
    if (!isMask && operation !== named.paintImageXObject && operation !== named.paintInlineImageXObject)
      continue;
    const picture = seen.get(first) ?? shownBy(await pixelsOf(first, find), isMask);
    seen.set(first, picture);
    if (picture) placed.push({ ...picture, place: after(now, ofUnits(picture.picture)) });
  }
  return placed;
};

/** From a picture's pixels to the square of one unit, from the lower left corner, as which PDF draws it. */
const ofUnits = ({ width, height }: Grey): Affine => [1 / width, 0, 0, 0, -1 / height, 1];

const isNumber = (value: unknown): value is number => typeof value === 'number';

const isMatrix = (value: unknown): value is Matrix =>
  (Array.isArray(value) || ArrayBuffer.isView(value)) && 'length' in value && value.length === 6;

const pixelsOf = async (given: unknown, find: Drawing['find']): Promise<Pixels | null> => {
  if (typeof given === 'string') return pixelsOf(await find(given), find);
  if (typeof given !== 'object' || given === null || !('data' in given)) return null;
  const { data } = given;
  // A mask names its pixels.
  if (typeof data === 'string') return pixelsOf(await find(data), find);
  const [width, height] = ['width' in given && given.width, 'height' in given && given.height];
  const isWhole = ArrayBuffer.isView(data) && isNumber(width) && isNumber(height) && width * height > 0;
  return isWhole ? { data: bytesOf(data), width, height } : null;
};

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

const shownBy = (pixels: Pixels | null, isMask: boolean): Shown | null => {
  const drawn = pixels && greyOf(pixels);
  // A mask draws its black pixels alone.
  return drawn && isMask ? { ...drawn, cover: drawn.picture.data.map((value) => 255 - value) } : drawn;
};

const greyOf = ({ data, width, height }: Pixels): Shown | null => {
  const size = { width, height };
  const channels = data.length / (width * height);
  if (channels === 1) return { picture: { data, ...size }, cover: null };
  if (channels === 3 || channels === 4) return coloured(data, channels, size);
  const row = Math.ceil(width / 8);
  if (data.length < row * height) return null;
  const grey = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      grey[y * width + x] = ((data[y * row + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? 255 : 0;
  return { picture: { data: grey, ...size }, cover: null };
};

const coloured = (data: Uint8Array, channels: 3 | 4, size: Pick<Grey, 'width' | 'height'>): Shown => {
  const grey = new Uint8Array(size.width * size.height);
  for (let at = 0, from = 0; at < grey.length; at += 1, from += channels) {
    const [red, green, blue] = [data[from] ?? 0, data[from + 1] ?? 0, data[from + 2] ?? 0];
    grey[at] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
  }
  return { picture: { data: grey, ...size }, cover: channels === 4 ? coverOf(data) : null };
};

/** Of pixels in four bytes the last one; null where all are opaque, as nearly all pictures are. */
const coverOf = (data: Uint8Array): Uint8Array | null => {
  let at = 3;
  while (at < data.length && data[at] === 255) at += 4;
  return at >= data.length
    ? null
    : Uint8Array.from({ length: data.length / 4 }, (_, index) => data[4 * index + 3] ?? 255);
};
