import type { Box } from '../../../domain/submission/processingResult.ts';
import { Unreadable, unlessUnreadable } from '../../errors.ts';
import type { PageDoubt, Word } from '../../page.ts';
import { type Affine, boundsOf, inverse, stretched } from '../../picture/affine.ts';
import { type Grey, greyOf, isEmpty, type Size } from '../../picture/pixels.ts';
import type { Drawing } from './drawing.ts';
import { pdfPicture, pdfPictures } from './pdfium.ts';
import { picturesOn } from './pictures.ts';
import { type Scan, scanOf } from './scan.ts';
import { isCutShort, weighty } from './undecoded.ts';

/** A page (from 1) of a PDF, and its size in points. */
export type Paper = Readonly<{ label: string; bytes: Buffer; number: number; size: Size }>;

/** The scan of a page, and whether something of it can't be decoded, neither by PDF.js nor by PDFium. */
type Decoded = Readonly<{ scan: Scan | null; doubt: PageDoubt | null }>;

/**
 * The scan of a page with these words; the page as PDFium draws it where PDF.js can't decode it, or where all
 * of it is lines.
 */
export const decodedScan = async (
  paper: Paper,
  drawing: Drawing,
  toPage: Affine,
  words: readonly Word[],
): Promise<Decoded> => {
  const { size } = paper;
  const { placed, lost } = await picturesOn(drawing, toPage);
  const scan = scanOf(placed);
  const missing = weighty(lost, size);
  const hasNothing = words.length === 0 && scan === null && drawing.operations.length > 0;
  if (missing.length === 0 && !hasNothing) {
    const isCut = scan !== null && (await isAnyCutShort(paper));
    return isCut ? { scan: null, doubt: 'unread_page' } : { scan, doubt: null };
  }
  const drawn = await drawnScan(paper);
  const { picture, toPage: toPoints } = drawn;
  const bare = without(words, picture, toPoints);
  const isBlank = (box: Box): boolean => isEmpty(bare, boundsOf(inverse(toPoints), box));
  const isPart = missing.length > 0 && (await isAnyCutShort(paper));
  if (isPart || missing.some(isBlank)) return { scan, doubt: 'unread_page' };
  const whole = { left: 0, top: 0, right: size.width, bottom: size.height };
  if (isBlank(whole)) return { scan: null, doubt: null };
  return { scan: drawn, doubt: null };
};

/** Of the height of a word: what its letters reach beyond its box. */
const MARGIN = 0.4;

/**
 * The drawn page without its words, which say nothing of the pictures below: their places have the colour
 * beside them.
 */
const without = (words: readonly Word[], picture: Grey, toPoints: Affine): Grey => {
  const { width, height } = picture;
  const data = Uint8Array.from(picture.data);
  for (const { box } of words) {
    if (!box) continue;
    const margin = MARGIN * (box.bottom - box.top);
    const [left, top, right, bottom] = [
      box.left - margin,
      box.top - margin,
      box.right + margin,
      box.bottom + margin,
    ];
    const place = boundsOf(inverse(toPoints), { left, top, right, bottom });
    const [x, y] = [Math.max(0, Math.floor(place.left)), Math.max(0, Math.floor(place.top))];
    const beside = data[y * width + x] ?? 255;
    const end = Math.min(width, Math.ceil(place.right));
    for (let row = y; row < Math.min(height, place.bottom); row += 1)
      if (end > x) data.fill(beside, row * width + x, row * width + end);
  }
  return { data, width, height };
};

/** Whether a picture of a page ends too early, as far as PDFium finds it. */
const isAnyCutShort = async ({ label, bytes, number }: Paper): Promise<boolean> => {
  let isCut = false;
  await unlessUnreadable(async () => {
    for (const stored of await pdfPictures(label, bytes, number)) isCut ||= await isCutShort(stored);
  });
  return isCut;
};

/** Sharp enough for the smallest letters that are read, in pixels a point. */
const READ_SCALE = 2.5;
const MAX_DRAWN = 20_000_000;

/** The whole page as it is drawn, as one picture. Throws Unreadable. */
export const drawnScan = async ({ label, bytes, number, size }: Paper): Promise<Scan> => {
  const drawn = await pdfPicture(label, bytes, number, enlarged(size, READ_SCALE, MAX_DRAWN));
  if (!drawn) throw new Unreadable(`"${label}" has no page ${number} that can be drawn.`);
  const toPage = stretched(size.width / drawn.width, size.height / drawn.height);
  return { picture: greyOf(drawn), toPage, area: size.width * size.height };
};

/** A size times `scale`, with at most `most` pixels. */
export const enlarged = ({ width, height }: Size, scale: number, most: number): Size => {
  const factor = Math.min(scale, Math.sqrt(most / (width * height)));
  return { width: width * factor, height: height * factor };
};
