import type { Box } from '../../domain/submission/processingResult.ts';
import { lettersOf } from './letters.ts';
import { type Grey, quantile } from './pixels.ts';

const DARK = 0.55;
const MIN_DARK_SHARE = 0.6;
const MAX_CUT = 0.4;
/** Paper in the deepest shadow in which letters are searched, as a share of the brightest. */
const MIN_PAPER = 0.12;
/** So many letter-shaped things may be specks. */
const MAX_SPECKS = 4;
const LETTER_MARGIN = 4;

/**
 * The box of the paper on a small picture, without the dark strips of a scanner or a table around it: rows
 * and columns are cut from outside while most of each is far darker than the paper, but never across letters
 * (a shadow may have some, and a corner of skewed paper).
 */
export const paperBox = (picture: Grey): Box => {
  const { data, width, height } = picture;
  const bright = quantile(data, 0.75);
  const isDark = (length: number, at: (index: number) => number): boolean => {
    let count = 0;
    for (let index = 0; index < length; index += 1) if ((data[at(index)] ?? 255) < bright * DARK) count += 1;
    return count > length * MIN_DARK_SHARE;
  };
  const row = (y: number) => isDark(width, (x) => y * width + x);
  const column = (x: number) => isDark(height, (y) => y * width + x);
  const box = {
    left: cut(width, column),
    top: cut(height, row),
    right: width - cut(width, (index) => column(width - 1 - index)),
    bottom: height - cut(height, (index) => row(height - 1 - index)),
  };
  if (box.left + box.top === 0 && box.right === width && box.bottom === height) return box;
  // Nearly black areas have noise that looks like letters.
  const shades = data.map((value) => (value < bright * MIN_PAPER ? 0 : value));
  return widened(box, lettersOf({ ...picture, data: shades }), picture);
};

const cut = (length: number, isDark: (index: number) => boolean): number => {
  let count = 0;
  while (count < length * MAX_CUT && isDark(count)) count += 1;
  return count;
};

/** A box moved out beyond the outermost letters, on the sides where more lie outside than may be specks. */
const widened = (box: Box, letters: readonly Box[], { width, height }: Grey): Box => {
  const outermost = (side: keyof Box, sign: 1 | -1, limit: number): number => {
    const outside = letters.map((letter) => sign * letter[side]).filter((at) => at > sign * box[side]);
    if (outside.length <= MAX_SPECKS) return box[side];
    return sign * Math.min(sign * limit, Math.max(...outside) + LETTER_MARGIN);
  };
  return {
    left: outermost('left', -1, 0),
    top: outermost('top', -1, 0),
    right: outermost('right', 1, width),
    bottom: outermost('bottom', 1, height),
  };
};

const INK = 20;
const MIN_NEIGHBOURS = 4;
const CONTENT_MARGIN = 2;

/**
 * The part of a thumbnail that has content: around every pixel that differs from the background and has
 * enough such neighbours (specks have none, as shrinking made them faint). All of it when it is blank.
 */
export const contentBox = ({ data, width, height }: Grey): Box => {
  const background = quantile(data, 0.5);
  const isInk = (x: number, y: number): boolean =>
    x >= 0 && x < width && Math.abs((data[y * width + x] ?? background) - background) > INK;
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      if (!isInk(x, y) || inkAround(isInk, x, y) < MIN_NEIGHBOURS) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
    }
  if (right === 0) return { left: 0, top: 0, right: width, bottom: height };
  return {
    left: Math.max(0, left - CONTENT_MARGIN),
    top: Math.max(0, top - CONTENT_MARGIN),
    right: Math.min(width, right + CONTENT_MARGIN),
    bottom: Math.min(height, bottom + CONTENT_MARGIN),
  };
};

const inkAround = (isInk: (x: number, y: number) => boolean, x: number, y: number): number => {
  let count = -1;
  for (let dy = -2; dy <= 2; dy += 1)
    for (let dx = -2; dx <= 2; dx += 1) if (isInk(x + dx, y + dy)) count += 1;
  return count;
};

/** A part of a picture. */
export const cropped = (picture: Grey, { left, top, right, bottom }: Box): Grey => {
  const [width, height] = [right - left, bottom - top];
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const start = (top + y) * picture.width + left;
    data.set(picture.data.subarray(start, start + width), y * width);
  }
  return { data, width, height };
};
