import type { Box } from '../types.ts';
import { type Grey, quantile } from './grey.ts';

const DARK = 0.55;
const MOSTLY = 0.6;
const MOST_CUT = 0.4;

/**
 * A small picture without the dark strips at its sides that a scanner or a table leaves round the paper: rows and
 * columns are cut from outside while most of each is far darker than the paper.
 */
export const paperBox = ({ data, width, height }: Grey): Box => {
  const dark = quantile(data, 0.75) * DARK;
  const isDark = (length: number, at: (index: number) => number): boolean => {
    let count = 0;
    for (let index = 0; index < length; index += 1) if ((data[at(index)] ?? 255) < dark) count += 1;
    return count > length * MOSTLY;
  };
  const row = (y: number) => isDark(width, (x) => y * width + x);
  const column = (x: number) => isDark(height, (y) => y * width + x);
  return {
    left: cut(width, column),
    top: cut(height, row),
    right: width - cut(width, (index) => column(width - 1 - index)),
    bottom: height - cut(height, (index) => row(height - 1 - index)),
  };
};

const cut = (length: number, isDark: (index: number) => boolean): number => {
  let count = 0;
  while (count < length * MOST_CUT && isDark(count)) count += 1;
  return count;
};
