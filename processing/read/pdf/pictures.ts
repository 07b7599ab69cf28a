import { type Affine, affineOf, after, type Matrix } from '../../picture/affine.ts';
import type { Grey } from '../../picture/pixels.ts';

/**
 * A picture on a page: `place` maps its pixels to points of the page as displayed; `alpha` is the opacity of
 * each pixel, 0 to 255, null where all are opaque.
 */
export type Placed = Readonly<{ picture: Grey; alpha: Uint8Array | null; place: Affine }>;

type Decoded = Omit<Placed, 'place'>;

/** Pixels of PDF.js: one bit each, rows padded to bytes, 1 for white; or 1, 3 or 4 bytes (with alpha). */
type Pixels = Readonly<{ data: Uint8Array; width: number; height: number }>;

/** A page's drawing operations and their arguments, as PDF.js lists them. */
export type Drawing = Readonly<{
  operations: readonly number[];
  given: readonly (readonly unknown[] | null)[];
  /** The codes of operations by name. */
  named: Readonly<Record<string, number>>;
  find: (key: string) => Promise<unknown>;
}>;

/** The pictures drawn on a page, in that order; `toPage` maps from the coordinates of its content. */
export const placedPictures = async (
  { operations, given, named, find }: Drawing,
  toPage: Affine,
): Promise<readonly Placed[]> => {
  const placed: Placed[] = [];
  // A picture that is drawn a thousand times is decoded once.
  const seen = new Map<unknown, Decoded | null>();
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
    const picture = seen.get(first) ?? decoded(await pixelsOf(first, find), isMask);
    seen.set(first, picture);
    if (picture) placed.push({ ...picture, place: after(now, toUnitSquare(picture.picture)) });
  }
  return placed;
};

/** From a picture's pixels to the unit square, upwards from the lower left corner, in which PDF draws it. */
const toUnitSquare = ({ width, height }: Grey): Affine => [1 / width, 0, 0, 0, -1 / height, 1];

const isNumber = (value: unknown): value is number => typeof value === 'number';

const isMatrix = (value: unknown): value is Matrix =>
  (Array.isArray(value) || ArrayBuffer.isView(value)) && 'length' in value && value.length === 6;

const pixelsOf = async (given: unknown, find: Drawing['find']): Promise<Pixels | null> => {
  if (typeof given === 'string') return pixelsOf(await find(given), find);
  if (typeof given !== 'object' || given === null || !('data' in given)) return null;
  const { data } = given;
  // A mask has the name of its pixels.
  if (typeof data === 'string') return pixelsOf(await find(data), find);
  const [width, height] = ['width' in given && given.width, 'height' in given && given.height];
  const isWhole = ArrayBuffer.isView(data) && isNumber(width) && isNumber(height) && width * height > 0;
  return isWhole ? { data: bytesOf(data), width, height } : null;
};

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

const decoded = (pixels: Pixels | null, isMask: boolean): Decoded | null => {
  const drawn = pixels && greyOf(pixels);
  // A mask draws its black pixels only.
  return drawn && isMask ? { ...drawn, alpha: drawn.picture.data.map((value) => 255 - value) } : drawn;
};

const greyOf = ({ data, width, height }: Pixels): Decoded | null => {
  const size = { width, height };
  const channels = data.length / (width * height);
  if (channels === 1) return { picture: { data, ...size }, alpha: null };
  if (channels === 3 || channels === 4) return coloured(data, channels, size);
  const row = Math.ceil(width / 8);
  if (data.length < row * height) return null;
  const grey = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      grey[y * width + x] = ((data[y * row + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? 255 : 0;
  return { picture: { data: grey, ...size }, alpha: null };
};

const coloured = (data: Uint8Array, channels: 3 | 4, size: Pick<Grey, 'width' | 'height'>): Decoded => {
  const grey = new Uint8Array(size.width * size.height);
  for (let at = 0, from = 0; at < grey.length; at += 1, from += channels) {
    const [red, green, blue] = [data[from] ?? 0, data[from + 1] ?? 0, data[from + 2] ?? 0];
    grey[at] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
  }
  return { picture: { data: grey, ...size }, alpha: channels === 4 ? alphaOf(data) : null };
};

/** The alpha channel; null where all is opaque, as in nearly all pictures. */
const alphaOf = (data: Uint8Array): Uint8Array | null => {
  let at = 3;
  while (at < data.length && data[at] === 255) at += 4;
  return at >= data.length
    ? null
    : Uint8Array.from({ length: data.length / 4 }, (_, index) => data[4 * index + 3] ?? 255);
};
