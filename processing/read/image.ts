import { Unreadable } from '../errors.ts';
import { type Affine, after, moved, stretched } from '../picture/affine.ts';
import type { Grey } from '../picture/grey.ts';
import { letterHeight } from '../picture/letters.ts';
import { framed, MOST_PIXELS, resized, type Size, type Source, sizeOf } from '../picture/pixels.ts';
import { type Straight, straighten } from '../picture/straighten.ts';
import { checkPages } from './limits.ts';

/** A picture as recognition likes it, as a PNG; `back` maps its pixels to those of the picture that it was made of, of this size. */
export type Prepared = Readonly<{ png: Buffer; back: Affine; size: Size }>;

const WIDTH = 1_200;
const NARROWEST = 600;
const WIDEST = 2_400;
const PIXELS_FOR_OCR = 6_000_000;
// Letters that touch the edge are misread.
const BORDER = 20;

/** How many pages a picture file has. Throws Unreadable when it can't be opened. */
export const countPages = async (label: string, bytes: Buffer): Promise<number> => {
  const { width, height, pages } = await guarded(label, () => sizeOf({ bytes, page: 0 }));
  if (width * height > MOST_PIXELS) throw tooLarge(label);
  checkPages(label, pages);
  return pages;
};

/** The size of a page's picture as its uploader sees it. Throws Unreadable when it can't be opened. */
export const pictureSize = (label: string, source: Source): Promise<Size> =>
  guarded(label, () => sizeOf(source));

/**
 * A page's picture made straight, as straighten does. Throws Unreadable when it is damaged, cut off or too large; what
 * is wrong with it names the file by its label.
 */
export const straightPicture = (label: string, source: Source): Promise<Straight> => {
  if ('data' in source && source.width * source.height > MOST_PIXELS) throw tooLarge(label);
  return guarded(label, () => straighten(source));
};

/**
 * A straight picture made ready for recognition within a white border: scaled so that its letters are so many pixels
 * high, or to a usual width where their height can't be told.
 */
export const prepare = async (picture: Grey, letters: number): Promise<Prepared> => {
  const { width, height } = picture;
  const measured = letterHeight(picture);
  const wanted = measured === null ? WIDTH / width : letters / measured;
  const scale = Math.min(
    Math.max(wanted, NARROWEST / width),
    WIDEST / width,
    Math.sqrt(PIXELS_FOR_OCR / (width * height)),
  );
  const scaled = await resized(picture, { width: width * scale, height: height * scale });
  const unscaled = stretched(width / scaled.width, height / scaled.height);
  const png = await framed(scaled, BORDER);
  return { png, back: after(unscaled, moved(-BORDER, -BORDER)), size: { width, height } };
};

const guarded = async <T>(label: string, read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if ((error as Error).message.includes('pixel limit')) throw tooLarge(label);
    throw new Unreadable(`"${label}" is a damaged or cut off picture: take or upload it again.`, {
      cause: error,
    });
  }
};

const tooLarge = (label: string): Unreadable =>
  new Unreadable(`"${label}" has more than ${MOST_PIXELS / 1e6} million pixels: upload a smaller picture.`);
