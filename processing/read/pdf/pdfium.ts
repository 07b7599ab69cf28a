import { PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium';
import { Unreadable } from '../../errors.ts';
import type { Coloured, Size } from '../../picture/pixels.ts';

/**
 * Draws a page (from 1) of a PDF to fill a size as far as its shape allows; null where it has no such page.
 * PDFium has the fonts that every PDF may use without bringing them. Throws Unreadable when it is damaged or
 * protected.
 */
export const pdfPicture = (
  label: string,
  bytes: Buffer,
  number: number,
  limits: Size,
): Promise<Coloured | null> =>
  onPage(label, bytes, number, async (page) => {
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const size = fitted({ width: originalWidth, height: originalHeight }, limits);
    const { data } = await page.render({ ...size, scale: 1, render: 'bitmap' });
    return { colours: data, ...size };
  });

/** The text of a page, line by line: PDFium knows the characters of fonts that a PDF names and does not bring. */
export const pdfText = async (label: string, bytes: Buffer, number: number): Promise<string> =>
  (await onPage(label, bytes, number, async (page) => page.getText())) ?? '';

/** A picture as a PDF stores it, and the filters that lead to its pixels, first to last. */
export type Stored = Readonly<{ data: Uint8Array; filters: readonly string[] }>;

/** The pictures that a page draws, as they are stored. */
export const pdfPictures = async (
  label: string,
  bytes: Buffer,
  number: number,
): Promise<readonly Stored[]> => {
  const stored = await onPage(label, bytes, number, async (page) => {
    const pictures: Stored[] = [];
    for (const object of page.objects())
      if (object.type === 'image') pictures.push(await object.getImageDataRaw());
    return pictures;
  });
  return stored ?? [];
};

const onPage = async <T>(
  label: string,
  bytes: Buffer,
  number: number,
  work: (page: PDFiumPage) => Promise<T>,
): Promise<T | null> => {
  // For each page anew: nothing that one file does to its memory can show in another's picture.
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(bytes);
    return number > document.getPageCount() ? null : await work(document.getPage(number - 1));
  } catch (error) {
    throw new Unreadable(`Page ${number} of "${label}" can't be drawn: download the file.`, { cause: error });
  }
};

/** In whole pixels, at least one each way. */
const fitted = (page: Size, limits: Size): Size => {
  if (!(page.width > 0 && page.height > 0)) throw new Error('the page has no size');
  const scale = Math.min(limits.width / page.width, limits.height / page.height);
  const side = (length: number): number => Math.max(1, Math.round(length * scale));
  return { width: side(page.width), height: side(page.height) };
};
