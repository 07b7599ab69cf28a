import type { Box } from '../types.ts';
import { type Grey, quantile } from './grey.ts';
import { lettersOf } from './letters.ts';

const DARK = 0.55;
const MOSTLY = 0.6;
const MOST_CUT = 0.4;
/** Paper in the deepest shadow in which letters are looked for, as a share of the brightest. */
const DEEPEST = 0.12;
/** So many things of the form of letters may be specks. */
const SPECKS = 4;
const ROOM = 4;

/**
 * A small picture without the dark strips at its sides that a scanner or a table leaves round the paper: rows and
 * columns are cut from outside while most of each is far darker than the paper, and up to where letters begin: a shadow has some, and a corner of paper that lies askew.
 */
export const paperBox = (picture: Grey): Box => {
  const { data, width, height } = picture;
  const bright = quantile(data, 0.75);
  const isDark = (length: number, at: (index: number) => number): boolean => {
    let count = 0;
    for (let index = 0; index < length; index += 1) if ((data[at(index)] ?? 255) < bright * DARK) count += 1;
    return count > length * MOSTLY;
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
  return widened(box, lettersOf(withoutBlack(picture, bright * DEEPEST)), picture);
};

const cut = (length: number, isDark: (index: number) => boolean): number => {
  let count = 0;
  while (count < length * MOST_CUT && isDark(count)) count += 1;
  return count;
};

/** What is nearly black has noise in which letters would be seen. */
const withoutBlack = ({ data, width, height }: Grey, least: number): Grey => ({
  data: data.map((value) => (value < least ? 0 : value)),
  width,
  height,
});

/** A box whose sides go out beyond the outermost letters, where more are outside of a side than may be specks. */
const widened = (box: Box, letters: readonly Box[], { width, height }: Grey): Box => {
  const least = (side: 'left' | 'top'): number => {
    const outside = letters.filter((letter) => letter[side] < box[side]).map((letter) => letter[side]);
    return outside.length > SPECKS ? Math.max(0, Math.min(...outside) - ROOM) : box[side];
  };
  const most = (side: 'right' | 'bottom', limit: number): number => {
    const outside = letters.filter((letter) => letter[side] > box[side]).map((letter) => letter[side]);
    return outside.length > SPECKS ? Math.min(limit, Math.max(...outside) + ROOM) : box[side];
  };
  return {
    left: least('left'),
    top: least('top'),
    right: most('right', width),
    bottom: most('bottom', height),
  };
};
