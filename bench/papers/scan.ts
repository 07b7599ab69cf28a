import sharp from 'sharp';
import { pdfPicture } from '../../processing/read/pdf/pdfium.ts';
import { type PdfPage, type Picture, pdfOf, pdfOfPictures } from '../../scripts/samples/pdf.ts';
import type { Luck } from './luck.ts';

/** Pixels a point: 150 dots an inch. */
const SCALE = 150 / 72;

/** Pages as a scanner gives them: one as a JPEG, more as a PDF of pictures. */
export const scanOf = async (
  pages: readonly PdfPage[],
  luck: Luck,
): Promise<Readonly<{ bytes: Buffer; extension: 'jpg' | 'pdf' }>> => {
  const source = pdfOf(pages);
  const pictures: Picture[] = [];
  for (const [index, page] of pages.entries()) pictures.push(await pictureOf(source, index + 1, page, luck));
  const [first] = pictures;
  return first && pictures.length === 1
    ? { bytes: first.jpeg, extension: 'jpg' }
    : { bytes: pdfOfPictures(pictures), extension: 'pdf' };
};

/** A page drawn with a mild skew, blur and noise. */
const pictureOf = async (source: Buffer, number: number, page: PdfPage, luck: Luck): Promise<Picture> => {
  const limits = { width: Math.round(page.width * SCALE), height: Math.round(page.height * SCALE) };
  const drawn = await pdfPicture('a paper', source, number, limits);
  if (!drawn) throw new Error(`page ${number} of a paper was not drawn`);
  const { colours, width, height } = drawn;
  const { data, info } = await sharp(colours, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#fff' })
    .greyscale()
    .rotate(3 * luck.next() - 1.5, { background: '#fff' })
    .blur(0.4 + 0.5 * luck.next())
    .raw()
    .toBuffer({ resolveWithObject: true });
  const noise = 6 + 14 * luck.next();
  const pixels = data.map((value) => {
    const noisy = value - 10 + noise * (luck.next() + luck.next() - 1);
    return Math.max(0, Math.min(255, noisy));
  });
  const size = { width: info.width, height: info.height };
  const jpeg = await sharp(pixels, { raw: { ...size, channels: 1 } })
    .toColourspace('b-w')
    .jpeg({ quality: luck.whole(55, 85) })
    .toBuffer();
  return { jpeg, ...size, shown: page.width };
};
