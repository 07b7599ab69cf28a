import { lineOf, type Page, type Word } from '../page.ts';
import { mapBox } from '../picture/affine.ts';
import { isNoise } from '../picture/noise.ts';
import type { Source } from '../picture/pixels.ts';
import { cropped, type Straight, turnedRound } from '../picture/straighten.ts';
import type { InputFile } from '../types.ts';
import { prepare, straightPicture } from './image.ts';
import { merged } from './merge.ts';
import type { Recogniser } from './ocr.ts';
import { legibilityOf } from './quality.ts';

/** How high letters are for the first look and for the second, in pixels: each misreads other ones. */
const FIRST = 24;
const SECOND = 34;
/** What is read as surely as this, in the mean and word by word, needs no second look. */
const CLEAR = 0.92;
const CLEAR_WORD = 0.6;
/** What is read worse than this may stand on its head. */
const POOR = 0.6;
/** Pages of small print are half as busy. Recognition would look for words in what is busier for minutes. */
const TOO_BUSY = 0.2;
/** What is read as badly as this is noise: a second look would only take its time. */
const HOPELESS = 0.35;
/** A page of more words takes seconds to read: once is enough. */
const MANY_WORDS = 600;

/** A page that was read: its text, the picture as it was read, and how sure its letters are in the mean, 0..1. */
export type Reading = Readonly<{ read: Page; picture: Straight; legibility: number }>;

/**
 * Reads one page (from 1) of a picture: made straight, turned round where its words read better that way, and looked at a
 * second time, at another size, where the first look left doubts.
 */
export const readPicture = async (
  file: InputFile,
  source: Source,
  page: number,
  recogniser: Recogniser,
): Promise<Reading> => {
  const look = async (picture: Straight, letters: number): Promise<Page> =>
    recogniser.recognise(await prepare(picture.picture, letters), file.fileId, page);
  const straight = await straightPicture(file.label, source);
  if (straight.measures.busy > TOO_BUSY || isNoise(straight.picture))
    return reading({ fileId: file.fileId, number: page, lines: [] }, straight);
  const first = await look(straight, FIRST);
  if (isClear(first)) return reading(first, straight);
  if (legibilityOf(first) < POOR && (await standsOnItsHead(straight, first, look))) {
    const picture = turnedRound(straight);
    return reading(merged(await look(picture, FIRST), await look(picture, SECOND)), picture);
  }
  const words = first.lines.reduce((sum, line) => sum + line.words.length, 0);
  if (legibilityOf(first) < HOPELESS || words > MANY_WORDS) return reading(first, straight);
  return reading(merged(first, await look(straight, SECOND)), straight);
};

const CLEARLY = 0.1;
const STRIP = 0.3;
/** A strip of a page with fewer words may hold none of them whole. */
const FEW_WORDS = 60;

/** Whether a picture reads better upside down: a strip across its middle, or all of it where it has few words. */
const standsOnItsHead = async (
  straight: Straight,
  first: Page,
  look: (picture: Straight, letters: number) => Promise<Page>,
): Promise<boolean> => {
  if (first.lines.flatMap(({ words }) => words).length < FEW_WORDS)
    return legibilityOf(await look(turnedRound(straight), FIRST)) > legibilityOf(first) + CLEARLY;
  const { width, height } = straight.picture;
  const [top, bottom] = [Math.floor((height * (1 - STRIP)) / 2), Math.ceil((height * (1 + STRIP)) / 2)];
  const strip = { ...straight, picture: cropped(straight.picture, { left: 0, top, right: width, bottom }) };
  const upright = legibilityOf(await look(strip, FIRST));
  return legibilityOf(await look(turnedRound(strip), FIRST)) > upright + CLEARLY;
};

/** What was read of a picture, with its boxes on the page as its uploader sees it; until then lines must run from left to right. */
const reading = (read: Page, picture: Straight): Reading => {
  const { toPage, page: size } = picture;
  const onPage = (word: Word): Word => ({ ...word, box: word.box && mapBox(toPage, word.box, size) });
  const lines = read.lines.map(({ words, place, block }) =>
    lineOf(words.map(onPage), { ...place, size }, block),
  );
  return { read: { ...read, lines }, picture, legibility: legibilityOf(read) };
};

const isClear = (page: Page): boolean =>
  legibilityOf(page) >= CLEAR &&
  page.lines.every(({ words }) =>
    words.every(({ text, confidence }) => confidence >= CLEAR_WORD || !/[\p{L}\d]{2}/u.test(text)),
  );
