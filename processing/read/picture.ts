import { Unreadable } from '../errors.ts';
import { letterConfidence, type Page, type Word, withWords, wordsOn } from '../page.ts';
import { after, mapBox, moved, stretched } from '../picture/affine.ts';
import { cropped } from '../picture/crop.ts';
import { letterHeight } from '../picture/letters.ts';
import { isNoise } from '../picture/measure.ts';
import { framed, type Grey, MAX_PIXELS, resized, type Size, type Source, sizeOf } from '../picture/pixels.ts';
import { type Straight, straighten, turnedRound } from '../picture/straighten.ts';
import type { InputFile } from '../types.ts';
import { checkPages, checkShownPages } from './limits.ts';
import { mergeReadings } from './mergeReadings.ts';
import type { Prepared, Recogniser } from './ocr.ts';

/** The height of letters in the first and the second reading, in pixels: each misreads other letters. */
const FIRST = 24;
const SECOND = 34;
/** A page read this surely, in the mean and word by word, needs no second reading. */
const CLEAR = 0.92;
const CLEAR_WORD = 0.6;
/** A page read less surely may be upside down. */
const POOR = 0.6;
/** Pages of small print are half as busy; recognition would search what is busier for words for minutes. */
const MAX_BUSY = 0.2;
/** A page read this badly is noise, on which a second reading would be wasted. */
const HOPELESS = 0.35;
/** A page of more words takes seconds to read, and is read once. */
const MAX_WORDS_TWICE = 600;

/** A page that was read: its text, the mean confidence of its letters (0..1), and data of its picture. */
export type Reading = Readonly<{ read: Page; legibility: number }> & Pick<Straight, 'toPage' | 'measures'>;

type Read = (picture: Straight, letters: number) => Promise<Page>;

/**
 * Reads one page (from 1) of a picture: straightened, turned round where its words read better that way, and
 * read a second time, at another size, where the first reading left doubts. Throws Unreadable when the
 * picture is damaged, cut off or too large; the message names the file by its label.
 */
export const readPicture = async (
  file: InputFile,
  source: Source,
  page: number,
  recogniser: Recogniser,
): Promise<Reading> => {
  const read: Read = async (picture, letters) =>
    recogniser.recognise(await prepare(picture.picture, letters), file.fileId, page);
  if ('data' in source) checkPixels(file.label, source);
  const straight = await readingPicture(file.label, () => straighten(source));
  if (straight.measures.busy > MAX_BUSY || isNoise(straight.picture))
    return onOriginal({ fileId: file.fileId, number: page, lines: [] }, straight);
  const first = await read(straight, FIRST);
  if (isClear(first)) return onOriginal(first, straight);
  const words = wordsOn(first);
  const confidence = letterConfidence(words);
  if (confidence < POOR && (await isUpsideDown(straight, words, read))) {
    const picture = turnedRound(straight);
    return onOriginal(mergeReadings(await read(picture, FIRST), await read(picture, SECOND)), picture);
  }
  if (confidence < HOPELESS || words.length > MAX_WORDS_TWICE) return onOriginal(first, straight);
  return onOriginal(mergeReadings(first, await read(straight, SECOND)), straight);
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

const USUAL_WIDTH = 1_200;
const MIN_WIDTH = 600;
const MAX_WIDTH = 2_400;
const MAX_PIXELS_FOR_OCR = 6_000_000;
/** Letters that touch the edge are misread. */
const BORDER = 20;

/** A picture scaled to letters of a height in pixels, or to a usual width where it has hardly any. */
const prepare = async (picture: Grey, letters: number): Promise<Prepared> => {
  const { width, height } = picture;
  const measured = letterHeight(picture);
  const wanted = measured === null ? USUAL_WIDTH / width : letters / measured;
  const scale = Math.min(
    Math.max(wanted, MIN_WIDTH / width),
    MAX_WIDTH / width,
    Math.sqrt(MAX_PIXELS_FOR_OCR / (width * height)),
  );
  const scaled = await resized(picture, { width: width * scale, height: height * scale });
  const unscaled = stretched(width / scaled.width, height / scaled.height);
  const png = await framed(scaled, BORDER);
  return { png, back: after(unscaled, moved(-BORDER, -BORDER)), size: { width, height } };
};

const MIN_GAIN = 0.1;
const STRIP = 0.3;
/** A strip of a page with fewer words may hold no whole one. */
const MIN_WORDS_FOR_STRIP = 60;

/** Whether a picture reads better upside down: a strip of its middle, or all where it has few words. */
const isUpsideDown = async (straight: Straight, words: readonly Word[], read: Read): Promise<boolean> => {
  const confidence = async (picture: Straight): Promise<number> =>
    letterConfidence(wordsOn(await read(picture, FIRST)));
  if (words.length < MIN_WORDS_FOR_STRIP)
    return (await confidence(turnedRound(straight))) > letterConfidence(words) + MIN_GAIN;
  const { width, height } = straight.picture;
  const [top, bottom] = [Math.floor((height * (1 - STRIP)) / 2), Math.ceil((height * (1 + STRIP)) / 2)];
  const strip = { ...straight, picture: cropped(straight.picture, { left: 0, top, right: width, bottom }) };
  const upright = await confidence(strip);
  return (await confidence(turnedRound(strip))) > upright + MIN_GAIN;
};

/** A reading with boxes on the original page; before, its lines must run from left to right. */
const onOriginal = (read: Page, picture: Straight): Reading => {
  const { toPage, page: size, measures } = picture;
  const onPage = (word: Word): Word => ({ ...word, box: word.box && mapBox(toPage, word.box, size) });
  const lines = read.lines.map((line) =>
    withWords({ ...line, place: { ...line.place, size } }, line.words.map(onPage)),
  );
  return { read: { ...read, lines }, legibility: letterConfidence(wordsOn(read)), toPage, measures };
};

const isClear = (page: Page): boolean => {
  const words = wordsOn(page);
  return (
    letterConfidence(words) >= CLEAR &&
    words.every(({ text, confidence }) => confidence >= CLEAR_WORD || !/[\p{L}\d]{2}/u.test(text))
  );
};
