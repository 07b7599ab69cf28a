import { Unreadable } from '../errors.ts';
import type { Size } from '../picture/pixels.ts';
import { decodeText } from '../read/text.ts';
import type { Drawn, InputFile, NoPage } from '../types.ts';
import { openShown } from './shownFile.ts';

const MIB = 1_024 ** 2;
/** Of a text that is shown, in bytes. */
const MAX_TEXT = 2 * MIB;
/** A picture that is sent: a page may be a thousand times as high as it is wide. */
const MAX_HEIGHT = 8_000;

/**
 * Draws a page (from 1) of a file as a picture of at most `width` pixels across, a PDF's of exactly so many
 * unless it is far higher than wide; a text is given as it is. Throws Unreadable.
 */
export const drawPage = async (file: InputFile, page: number, width: number): Promise<Drawn | NoPage> => {
  const { format, bytes } = await openShown(file);
  if (format === 'text') return page === 1 ? { kind: 'drawn', as: 'text', bytes: textOf(file, bytes) } : NONE;
  const limits = { width, height: MAX_HEIGHT };
  const picture =
    format === 'pdf' ? await drawnPdf(file, bytes, page, limits) : await drawn(file, bytes, page, limits);
  return picture === null ? NONE : { kind: 'drawn', as: 'picture', bytes: picture };
};

const NONE: NoPage = { kind: 'no_page' };

const textOf = ({ label }: InputFile, bytes: Buffer): Buffer => {
  if (bytes.length > MAX_TEXT)
    throw new Unreadable(`"${label}" is over ${MAX_TEXT / MIB} MiB, which is not shown: download the file.`);
  // Throws for what is no text: a type is found by the first bytes too.
  decodeText(label, bytes);
  return bytes;
};

const drawn = async ({ label }: InputFile, bytes: Buffer, page: number, limits: Size) => {
  const { readingPicture } = await import('../read/picture.ts');
  const { jpegOf, sizeOf } = await import('../picture/pixels.ts');
  return readingPicture(label, async () => {
    const { pages } = await sizeOf({ bytes, page: 0 });
    return page > pages ? null : jpegOf({ bytes, page: page - 1 }, limits);
  });
};

const drawnPdf = async ({ label }: InputFile, bytes: Buffer, page: number, limits: Size) => {
  const { pdfPicture } = await import('../read/pdf/pdfium.ts');
  const { jpegOf } = await import('../picture/pixels.ts');
  const picture = await pdfPicture(label, bytes, page, limits);
  return picture && jpegOf(picture, picture);
};
