import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Grey } from '../../picture/pixels.ts';

/** Where a picture has strokes: 1, else 0; row by row. */
export type Strokes = Readonly<{ data: Uint8Array; width: number; height: number }>;

/** Strokes are narrower than this share of the width. */
const MAX_WIDTH = 1 / 45;
/** The darkest share of a page is surely stroke; where strokes end depends on how dark it is. */
const DARK_SHARE = 0.03;
/** A stroke ends where it is this share as dark as its middle, relative to the paper. */
const END = 0.45;
const MAX_LIMIT = 0.93;
const MIN_LIMIT = 0.7;

/** The strokes of a picture: what is darker than its paper and narrow, unlike edges of shadows. */
export const strokesOf = (grey: Grey): Strokes => {
  const { data, width, height } = grey;
  const paper = filled(grey, Math.max(2, Math.round((width * MAX_WIDTH) / 2)));
  const shares = data.map((value, at) => (255 * (value + 1)) / ((paper[at] ?? 0) + 1));
  const limit = limitOf(shares);
  return { data: shares.map((share) => (share < limit ? 1 : 0)), width, height };
};

const limitOf = (shares: Uint8Array): number => {
  const counts = new Uint32Array(256);
  for (const share of shares) counts[share] = (counts[share] ?? 0) + 1;
  let dark = 0;
  for (let sum = 0; dark < 255 && sum < DARK_SHARE * shares.length; dark += 1) sum += counts[dark] ?? 0;
  return Math.min(255 * MAX_LIMIT, Math.max(255 * MIN_LIMIT, 255 - (255 - dark) * END));
};

/** A picture in which what is dark and narrow is filled with what is around it (a morphological closing). */
const filled = ({ data, width, height }: Grey, reach: number): Uint8Array => {
  const grown = greatest(greatest(data, width, height, reach), height, width, reach);
  const inverted = grown.map((value) => 255 - value);
  return greatest(greatest(inverted, width, height, reach), height, width, reach).map((value) => 255 - value);
};

/** The maximum of each pixel and its neighbours in its row, transposed: done twice, rows are rows again. */
const greatest = (from: Uint8Array, width: number, height: number, reach: number): Uint8Array => {
  const to = new Uint8Array(from.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const start = y * width;
      const last = start + Math.min(width - 1, x + reach);
      let found = 0;
      for (let at = start + Math.max(0, x - reach); at <= last; at += 1) {
        const value = from[at] ?? 0;
        if (value > found) found = value;
      }
      to[x * height + y] = found;
    }
  return to;
};

/** The sums of each column and each row. */
export const profilesOf = ({ data, width, height }: Grey) => {
  const columns = new Float64Array(width);
  const rows = new Float64Array(height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const value = data[y * width + x] ?? 0;
      columns[x] = (columns[x] ?? 0) + value;
      rows[y] = (rows[y] ?? 0) + value;
    }
  return { columns, rows };
};

/** Strokes as text: a bit a pixel, deflated, base64. */
export const packed = ({ data }: Strokes): string => {
  const bits = new Uint8Array(Math.ceil(data.length / 8));
  for (let at = 0; at < data.length; at += 1)
    if (data[at]) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
  return deflateRawSync(bits, { level: 9 }).toString('base64');
};

/** The strokes. Throws where the text is not what `packed` made. */
export const unpacked = (text: string, width: number, height: number): Strokes => {
  const maxOutputLength = Math.ceil((width * height) / 8);
  const bits = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength });
  const data = new Uint8Array(width * height);
  for (let at = 0; at < data.length; at += 1) data[at] = ((bits[at >> 3] ?? 0) >> (at & 7)) & 1;
  return { data, width, height };
};
