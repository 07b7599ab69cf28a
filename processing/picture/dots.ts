import type { Grey } from './grey.ts';
import { blurred } from './pixels.ts';

const DARK = 128;
/** Scans in grey and plain black-and-white ones have at most a tenth as many. */
const DOTTED = 0.03;
/** In pixels: as wide as makes grey of dots, and leaves strokes. */
const RADIUS = 1.2;

/**
 * A picture in which grey is drawn by black dots (a fax, a scan in one bit) made grey again: letters would not be told from dots, and recognition would look for words in
 * them for minutes. Any other stays as it is.
 */
export const withoutDots = async (picture: Grey): Promise<Grey> =>
  loneDots(picture) > DOTTED * picture.data.length ? blurred(picture, RADIUS) : picture;

/** How many pixels are dark while none beside, above and below is. */
const loneDots = ({ data, width }: Grey): number => {
  const isDark = (at: number): boolean => (data[at] ?? 255) < DARK;
  let count = 0;
  for (let at = 0; at < data.length; at += 1)
    if (isDark(at) && !isDark(at - 1) && !isDark(at + 1) && !isDark(at - width) && !isDark(at + width))
      count += 1;
  return count;
};
