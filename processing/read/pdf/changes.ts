import type { Box } from '../../../domain/submission/processingResult.ts';
import { boundsOf, stretched } from '../../picture/affine.ts';
import { type Coloured, luminance, type Size } from '../../picture/pixels.ts';
import type { Sight } from './pdfium.ts';

/** How different brightnesses of pixels (0 to 255) are that people tell apart. */
const MIN_CONTRAST = 24;

/** Whether the text of a page makes a difference in a box in pixels, which may reach beyond the page. */
export const changesOn = ({ all, ground }: Sight): ((box: Box) => boolean) => {
  const { width, height } = all;
  const [one, other] = [pixelsOf(all), pixelsOf(ground)];
  // How many pixels differ above and to the left of each, so that a box is counted by its corners.
  const counts = new Uint32Array((width + 1) * (height + 1));
  for (let y = 0, at = 0; y < height; y += 1) {
    let inRow = 0;
    for (let x = 0, to = (y + 1) * (width + 1) + 1; x < width; x += 1, at += 1, to += 1) {
      if (one[at] !== other[at] && areApart(all, ground, 4 * at)) inRow += 1;
      counts[to] = (counts[to - width - 1] ?? 0) + inRow;
    }
  }
  const count = (x: number, y: number): number => counts[y * (width + 1) + x] ?? 0;
  return (box) => {
    const { left, top, right, bottom } = within(box, all);
    if (right <= left || bottom <= top) return false;
    return count(right, bottom) - count(left, bottom) - count(right, top) + count(left, top) > 0;
  };
};

/** Whether nothing is to be seen at a place of a page of a size. */
export const isBlank = (drawn: Coloured, box: Box, size: Size): boolean => {
  const { left, top, right, bottom } = within(inPixels(box, drawn, size), drawn);
  let [least, most] = [255, 0];
  for (let y = top; y < bottom; y += 1)
    for (let x = left; x < right; x += 1) {
      const value = brightness(drawn, 4 * (y * drawn.width + x));
      if (value < least) least = value;
      if (value > most) most = value;
    }
  return most - least <= MIN_CONTRAST;
};

const pixelsOf = ({ colours, width, height }: Coloured): Uint32Array =>
  new Uint32Array(colours.buffer, colours.byteOffset, width * height);

const areApart = (one: Coloured, other: Coloured, at: number): boolean =>
  Math.abs(brightness(one, at) - brightness(other, at)) > MIN_CONTRAST;

const brightness = ({ colours }: Coloured, at: number): number =>
  luminance(colours[at] ?? 0, colours[at + 1] ?? 0, colours[at + 2] ?? 0);

/** A box in points of a page of a size, in pixels of the page as it is drawn. */
export const inPixels = (box: Box, { width, height }: Size, size: Size): Box =>
  boundsOf(stretched(width / size.width, height / size.height), box);

/** The whole pixels in a box, as far as they are in a picture. */
const within = ({ left, top, right, bottom }: Box, { width, height }: Size): Box => ({
  left: Math.max(0, Math.floor(left)),
  top: Math.max(0, Math.floor(top)),
  right: Math.min(width, Math.ceil(right)),
  bottom: Math.min(height, Math.ceil(bottom)),
});
