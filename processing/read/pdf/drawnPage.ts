import { Unreadable } from '../../errors.ts';
import { type Grey, greyOf, type Size } from '../../picture/pixels.ts';
import { pdfPicture } from './pdfium.ts';

/** Sharp enough for the smallest letters that people see, and for those that are read, in pixels a point. */
export const SEEN_SCALE = 1.5;
export const READ_SCALE = 2.5;

/** A page (from 1) of this size in points as PDFium draws it, in pixels a point. Throws Unreadable. */
export const drawnPage = async (
  label: string,
  bytes: Buffer,
  number: number,
  { width, height }: Size,
  scale: number,
): Promise<Grey> => {
  const picture = await pdfPicture(label, bytes, number, { width: width * scale, height: height * scale });
  if (!picture) throw new Unreadable(`"${label}" has no page ${number} that can be drawn.`);
  return greyOf(picture);
};
