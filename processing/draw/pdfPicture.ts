import { PDFiumLibrary } from '@hyzyla/pdfium';
import { Unreadable } from '../errors.ts';
import type { Coloured, Size } from '../picture/pixels.ts';

/**
 * Draws a page (from 1) of a PDF to fill a size as far as its shape allows; null where it has no such page.
 * PDFium has the fonts that every PDF may use without bringing them. Throws Unreadable when it is damaged or
 * protected.
 */
export const pdfPicture = async (
  label: string,
  bytes: Buffer,
  page: number,
  limits: Size,
): Promise<Coloured | null> => {
  // For each page anew: nothing that one file does to its memory can show in another's picture.
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(bytes);
    if (page > document.getPageCount()) return null;
    const opened = document.getPage(page - 1);
    const { originalWidth, originalHeight } = opened.getOriginalSize();
    const size = fitted({ width: originalWidth, height: originalHeight }, limits);
    const { data } = await opened.render({ ...size, scale: 1, render: 'bitmap' });
    return { colours: data, ...size };
  } catch (error) {
    throw new Unreadable(`Page ${page} of "${label}" can't be drawn: download the file.`, { cause: error });
  }
};

/** In whole pixels, at least one each way. */
const fitted = (page: Size, limits: Size): Size => {
  if (!(page.width > 0 && page.height > 0)) throw new Error('the page has no size');
  const scale = Math.min(limits.width / page.width, limits.height / page.height);
  const side = (length: number): number => Math.max(1, Math.round(length * scale));
  return { width: side(page.width), height: side(page.height) };
};
