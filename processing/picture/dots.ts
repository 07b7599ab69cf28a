import type { Grey } from './grey.ts';
import { blurred, medianOf } from './pixels.ts';

const DARK = 128;
/** Shares of pixels that are lone dots: clean scans have a quarter as many as specked ones at most. */
const SPECKED = 0.01;
const DOTTED = 0.03;
/** In pixels: as wide as makes grey of dots, and leaves strokes. */
const RADIUS = 1.2;
const SPECK = 3;
const [BLACK, WHITE, FEW] = [30, 225, 0.05];

/**
 * A picture without dots: grey that is drawn by black ones in one bit (a fax) becomes grey again, specks of noise
 * vanish. Letters would not be told from them, and recognition would look for words in them for minutes. A picture that has none stays as it is.
 */
export const withoutDots = async (picture: Grey): Promise<Grey> => {
  const dots = loneDots(picture) / picture.data.length;
  if (dots < SPECKED) return picture;
  return dots > DOTTED && isOneBit(picture) ? blurred(picture, RADIUS) : medianOf(picture, SPECK);
};

/** How many pixels are dark while none beside, above and below is. */
const loneDots = ({ data, width }: Grey): number => {
  const isDark = (at: number): boolean => (data[at] ?? 255) < DARK;
  let count = 0;
  for (let at = 0; at < data.length; at += 1)
    if (isDark(at) && !isDark(at - 1) && !isDark(at + 1) && !isDark(at - width) && !isDark(at + width))
      count += 1;
  return count;
};

const isOneBit = ({ data }: Grey): boolean => {
  let grey = 0;
  for (const value of data) if (value > BLACK && value < WHITE) grey += 1;
  return grey < FEW * data.length;
};
