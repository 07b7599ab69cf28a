import type { Page } from '../page.ts';
import type { Source } from '../picture/pixels.ts';
import { type Straight, turnedRound } from '../picture/straighten.ts';
import type { InputFile } from '../types.ts';
import { prepare, straightPicture } from './image.ts';
import { merged } from './merge.ts';
import type { Recogniser } from './ocr.ts';

/** How high letters are for the first look and for the second, in pixels: each misreads other ones. */
const FIRST = 24;
const SECOND = 34;
/** What is read as surely as this, in the mean and word by word, needs no second look. */
const CLEAR = 0.92;
const CLEAR_WORD = 0.6;
/** What is read worse than this may stand on its head. */
const POOR = 0.6;

/**
 * Reads one page (from 1) of a picture: made straight, turned round where its words read better that way, and looked at a
 * second time, at another size, where the first look left doubts. Gives the picture as it was read, too.
 */
export const readPicture = async (
  file: InputFile,
  source: Source,
  page: number,
  recogniser: Recogniser,
): Promise<Readonly<{ read: Page; picture: Straight }>> => {
  const look = async (picture: Straight, letters: number): Promise<Page> =>
    recogniser.recognise(await prepare(picture, letters), file.fileId, page);
  const straight = await straightPicture(file.label, source);
  const first = await look(straight, FIRST);
  if (isClear(first)) return { read: first, picture: straight };
  if (legibilityOf(first) < POOR) {
    const picture = turnedRound(straight);
    const other = await look(picture, FIRST);
    if (legibilityOf(other) > legibilityOf(first) + CLEARLY)
      return { read: merged(other, await look(picture, SECOND)), picture };
  }
  return { read: merged(first, await look(straight, SECOND)), picture: straight };
};

const CLEARLY = 0.1;

const isClear = (page: Page): boolean =>
  legibilityOf(page) >= CLEAR &&
  page.lines.every(({ words }) =>
    words.every(({ text, confidence }) => confidence >= CLEAR_WORD || !/[\p{L}\d]{2}/u.test(text)),
  );

/** How sure the letters of a page are in the mean, 0..1; 0 without any. */
const legibilityOf = ({ lines }: Page): number => {
  const words = lines.flatMap((line) => line.words);
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const sure = words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0);
  return letters === 0 ? 0 : sure / letters;
};
