import type { PictureQuality } from '../../domain/workflow.ts';
import { PoorPicture } from '../errors.ts';
import type { Line, Page } from '../page.ts';
import type { Measures } from '../picture/measure.ts';

/** A picture that was looked at: how its file (and page) is called, what was measured and what was read. */
export type Looked = Readonly<{ name: string; measures: Measures; read: Page; legibility: number }>;

/** Throws PoorPicture for a picture that is smaller than a version asks. */
export const checkSize = (
  name: string,
  { width, height }: Readonly<{ width: number; height: number }>,
  { minSide }: PictureQuality,
): void => {
  if (Math.min(width, height) >= minSide) return;
  throw new PoorPicture(
    `${name} is only ${width} x ${height} pixels, its shorter side must have ${minSide}: take a larger picture of the document.`,
  );
};

/** Throws PoorPicture for a picture that can't be read for its blur, darkness or glare, or whose text is cut off. */
export const checkQuality = (looked: Looked, quality: PictureQuality): void => {
  const isRead = looked.legibility >= quality.legible && hasLetters(looked.read);
  const fault = (!isRead && faultOfLight(looked, quality)) || cutFault(looked, quality);
  if (fault) throw new PoorPicture(`${looked.name} ${fault}`);
};

const faultOfLight = ({ measures }: Looked, quality: PictureQuality): string | null => {
  const { sharpness, brightness, glare, ink } = measures;
  if (brightness < quality.minBrightness)
    return `is too dark (brightness ${told(brightness)}, at least ${quality.minBrightness} is asked for): take the picture again in more light.`;
  // On a blank page nothing is sharp.
  if (ink >= LEAST_INK && sharpness < quality.minSharpness)
    return `is blurred (sharpness ${told(sharpness)}, at least ${quality.minSharpness} is asked for): take the picture again with a steady hand, once the camera has focused.`;
  if (glare > quality.maxGlare)
    return `has glare on ${Math.round(glare * 100)} % of it, at most ${Math.round(quality.maxGlare * 100)} % may have: take the picture again without flash, away from lamps and windows.`;
  return null;
};

/** Less ink than this is none: specks, a fold. */
const LEAST_INK = 0.002;

const told = (value: number): string => value.toFixed(2);

const cutFault = ({ read }: Looked, { cutOff }: PictureQuality): string | null => {
  if (cutOff === 'allow') return null;
  const side = SIDES.find((one) => read.lines.filter((line) => touches(line, one)).length >= FEWEST[one]);
  return side
    ? `is cut off at the ${side}: take the picture again with the whole document and some space around it.`
    : null;
};

const SIDES = ['left', 'right', 'top', 'bottom'] as const;
type Side = (typeof SIDES)[number];
/** One line at the top tells, but at a side one may be a smudge. */
const FEWEST: Readonly<Record<Side, number>> = { left: 2, right: 2, top: 1, bottom: 1 };
const EDGE = 0.004;
const SURE = 0.5;

const touches = ({ words, place: { size } }: Line, side: Side): boolean => {
  if (!size) return false;
  const edge = Math.max(2, EDGE * Math.min(size.width, size.height));
  return words.some(({ text, confidence, box }) => {
    if (!box || confidence < SURE || !/[\p{L}\d]{2}/u.test(text)) return false;
    const room = {
      left: box.left,
      top: box.top,
      right: size.width - box.right,
      bottom: size.height - box.bottom,
    };
    return room[side] <= edge;
  });
};

/** Throws PoorPicture for pictures of one file without any text, unless they are blank and may be. */
export const checkText = (label: string, looked: readonly Looked[], { blank }: PictureQuality): void => {
  if (sureLetters(looked) >= LEAST_LETTERS) return;
  const isBlank = looked.every(({ measures }) => measures.ink < LEAST_INK);
  if (isBlank && blank === 'allow') return;
  throw new PoorPicture(
    isBlank
      ? `"${label}" is blank, there is no text that can be read: was it the right side of the right sheet? Take the picture again.`
      : `"${label}" shows no text that can be read: take the picture again, sharp, in good light, with the whole document in it.`,
  );
};

/** Whether text was read on a page, as it is not on one of noise. */
export const isLegible = (read: Page): boolean => legibilityOf(read) >= LEGIBLE && hasLetters(read);

/** How sure the letters of a page are in the mean, 0..1; 0 without any. */
export const legibilityOf = ({ lines }: Page): number => {
  const words = lines.flatMap((line) => line.words);
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const sure = words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0);
  return letters === 0 ? 0 : sure / letters;
};

const LEGIBLE = 0.6;
const LEAST_LETTERS = 3;
/** A word or two of a blurred page may be read well by chance. */
const ENOUGH_LETTERS = 30;

const hasLetters = (read: Page): boolean => sureLetters([{ read }]) >= ENOUGH_LETTERS;

/** How many letters and digits were read well. */
const sureLetters = (looked: readonly Pick<Looked, 'read'>[]): number =>
  looked
    .flatMap(({ read }) =>
      read.lines.flatMap(({ words }) => words.filter(({ confidence }) => confidence >= SURE)),
    )
    .reduce((sum, { text }) => sum + (text.match(/[\p{L}\d]/gu) ?? []).length, 0);
