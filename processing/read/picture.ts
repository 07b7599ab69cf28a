import { Unreadable } from '../errors.ts';
import { letterConfidence, type Page, type Word, withWords, wordsOn } from '../page.ts';
import { mapBox } from '../picture/affine.ts';
import { isNoise } from '../picture/measure.ts';
import { MAX_PIXELS, type Size, type Source, sizeOf } from '../picture/pixels.ts';
import { type Straight, straighten, turnedRound } from '../picture/straighten.ts';
import type { InputFile } from '../types.ts';
import { checkPages, checkShownPages } from './limits.ts';
import type { Recogniser } from './ocr.ts';

/** Pages of small print are half as busy; what is busier has no text. */
const MAX_BUSY = 0.2;

/** A page that was read: its text, the mean confidence of its letters (0..1), and data of its picture. */
export type Reading = Readonly<{ read: Page; legibility: number }> & Pick<Straight, 'toPage' | 'measures'>;

/**
 * Reads one page (from 1) of a picture: straightened, and turned round where its lines stand on their heads.
 * Throws Unreadable when the picture is damaged, cut off or too large; the message names the file.
 */
export const readPicture = async (
  file: InputFile,
  source: Source,
  page: number,
  recogniser: Recogniser,
): Promise<Reading> => {
  if ('data' in source) checkPixels(file.label, source);
  const straight = await readingPicture(file.label, () => straighten(source));
  if (straight.measures.busy > MAX_BUSY || isNoise(straight.picture))
    return onOriginal({ fileId: file.fileId, number: page, lines: [] }, straight);
  const { read, isUpsideDown } = await recogniser.recognise(straight.picture, file.fileId, page);
  return onOriginal(read, isUpsideDown ? turnedRound(straight) : straight);
};

/**
 * The pages of a picture file that are to be read (from 0): not those that are another one made small. Throws
 * Unreadable when it can't be opened.
 */
export const pagesToRead = async (label: string, bytes: Buffer): Promise<readonly number[]> => {
  const sizes = await sizesOf(label, bytes, checkPages);
  for (const size of sizes) checkPixels(label, size);
  return sizes.flatMap((size, page) => (sizes.some((other) => isSmall(size, other)) ? [] : page));
};

/**
 * The sides of a picture that was made small, and how much its shape may differ, as shares of the other's.
 */
const SMALL = 1 / 3;
const SAME_SHAPE = 0.05;

const isSmall = (one: Size, of: Size): boolean => {
  const [across, down] = [one.width / of.width, one.height / of.height];
  return Math.max(across, down) < SMALL && Math.abs(across / down - 1) < SAME_SHAPE;
};

/** The sizes of the pages of a picture file as its uploader sees them. Throws Unreadable. */
export const pictureSizes = (label: string, bytes: Buffer): Promise<readonly Size[]> =>
  sizesOf(label, bytes, checkShownPages);

const sizesOf = (label: string, bytes: Buffer, check: typeof checkPages): Promise<readonly Size[]> =>
  readingPicture(label, async () => {
    const { pages } = await sizeOf({ bytes, page: 0 });
    check(label, pages);
    const sizes: Size[] = [];
    for (let page = 0; page < pages; page += 1) {
      const { width, height } = await sizeOf({ bytes, page });
      sizes.push({ width, height });
    }
    return sizes;
  });

/** The size of a page's picture as its uploader sees it. Throws Unreadable when it can't be opened. */
export const pictureSize = (label: string, source: Source): Promise<Size> =>
  readingPicture(label, () => sizeOf(source));

/** What `read` gives of a picture. Throws Unreadable when it is damaged, cut off or too large. */
export const readingPicture = async <T>(label: string, read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    if ((error as Error).message.includes('pixel limit')) throw tooLarge(label);
    throw new Unreadable(`"${label}" is a damaged or cut off picture: take or upload it again.`, {
      cause: error,
    });
  }
};

const checkPixels = (label: string, { width, height }: Size): void => {
  if (width * height > MAX_PIXELS) throw tooLarge(label);
};

const tooLarge = (label: string): Unreadable =>
  new Unreadable(`"${label}" has more than ${MAX_PIXELS / 1e6} million pixels: upload a smaller picture.`);

/** A reading with boxes on the original page; before, its lines must run from left to right. */
const onOriginal = (read: Page, picture: Straight): Reading => {
  const { toPage, page: size, measures } = picture;
  const onPage = (word: Word): Word => ({ ...word, box: word.box && mapBox(toPage, word.box, size) });
  const lines = read.lines.map((line) =>
    withWords({ ...line, place: { ...line.place, size } }, line.words.map(onPage)),
  );
  return { read: { ...read, lines }, legibility: letterConfidence(wordsOn(read)), toPage, measures };
};
