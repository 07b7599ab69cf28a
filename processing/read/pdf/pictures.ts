import type { Box } from '../../../domain/submission/processingResult.ts';
import { type Affine, after, boundsOf } from '../../picture/affine.ts';
import { type Grey, luminance } from '../../picture/pixels.ts';
import { type Drawing, isNumber, steps, UNIT_SQUARE } from './drawing.ts';

/**
 * A picture on a page: `place` maps its pixels to points of the page as displayed; `alpha` is the opacity of
 * each pixel, 0 to 255, null where all are opaque.
 */
export type Placed = Readonly<{ picture: Grey; alpha: Uint8Array | null; place: Affine }>;

type Decoded = Omit<Placed, 'place'>;

/** Pixels of PDF.js: one bit each, rows padded to bytes, 1 for white; or 1, 3 or 4 bytes (with alpha). */
type Pixels = Readonly<{ data: Uint8Array; width: number; height: number }>;

/** The pictures drawn on a page, in that order, and where those are that could not be decoded, in points. */
export type Pictures = Readonly<{ placed: readonly Placed[]; lost: readonly Box[] }>;

/** The pictures drawn on a page; `toPage` maps from the coordinates of its content. */
export const picturesOn = async (drawing: Drawing, toPage: Affine): Promise<Pictures> => {
  const { named, find } = drawing;
  const placed: Placed[] = [];
  const lost: Box[] = [];
  // A picture that is drawn a thousand times is decoded once.
  const seen = new Map<unknown, Decoded | null>();
  for (const { operation, given, map } of steps(drawing, toPage)) {
    const [first] = given;
    const isMask = operation === named.paintImageMaskXObject;
    if (!isMask && operation !== named.paintImageXObject && operation !== named.paintInlineImageXObject)
      continue;
    const picture = seen.get(first) ?? decoded(await pixelsOf(first, find), isMask);
    seen.set(first, picture);
    if (picture) placed.push({ ...picture, place: after(map, toUnitSquare(picture.picture)) });
    else lost.push(boundsOf(map, UNIT_SQUARE));
  }
  return { placed, lost };
};

/** From a picture's pixels to the unit square, upwards from the lower left corner, in which PDF draws it. */
const toUnitSquare = ({ width, height }: Grey): Affine => [1 / width, 0, 0, 0, -1 / height, 1];

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
    grey[at] = Math.round(luminance(red, green, blue));
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
