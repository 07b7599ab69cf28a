import type { PictureQuality } from '../../domain/workflow.ts';
import { PoorPicture } from '../errors.ts';
import { type Line, letterConfidence, type Page, wordsOn } from '../page.ts';
import type { Size } from '../picture/pixels.ts';
import type { Reading } from './picture.ts';

/** A picture that was read; `name` is that of its file (and page). */
export type JudgedPicture = Reading & Readonly<{ name: string }>;

/** Throws PoorPicture for a picture smaller than a version requires. */
export const checkSize = (name: string, { width, height }: Size, { minSide }: PictureQuality): void => {
  if (Math.min(width, height) >= minSide) return;
  throw new PoorPicture(
    `${name} is only ${width} x ${height} pixels, its shorter side must have ${minSide}: take a larger picture of the document.`,
  );
};

/** Throws PoorPicture for an illegible picture (blurred, dark, overexposed), or one with text cut off. */
export const checkQuality = (judged: JudgedPicture, quality: PictureQuality): void => {
  const isRead = judged.legibility >= quality.legible && hasText(judged.read);
  const fault = (!isRead && exposureFault(judged, quality)) || cutFault(judged, quality);
  if (fault) throw new PoorPicture(`${judged.name} ${fault}`);
};

const exposureFault = ({ measures }: JudgedPicture, quality: PictureQuality): string | null => {
  const { sharpness, brightness, glare, ink } = measures;
  if (brightness < quality.minBrightness)
    return `is too dark (brightness ${brightness.toFixed(2)}, at least ${quality.minBrightness} is asked for): take the picture again in more light.`;
  // On a blank page nothing is sharp.
  if (ink >= MIN_INK && sharpness < quality.minSharpness)
    return `is blurred (sharpness ${sharpness.toFixed(2)}, at least ${quality.minSharpness} is asked for): take the picture again with a steady hand, once the camera has focused.`;
  if (glare > quality.maxGlare)
    return `has glare on ${Math.round(glare * 100)} % of it, at most ${Math.round(quality.maxGlare * 100)} % may have: take the picture again without flash, away from lamps and windows.`;
  return null;
};

const MIN_INK = 0.002;

const cutFault = ({ read }: JudgedPicture, { cutOff }: PictureQuality): string | null => {
  if (cutOff === 'allow') return null;
  const side = SIDES.find((one) => read.lines.filter((line) => touches(line, one)).length >= MIN_CUT[one]);
  return side
    ? `is cut off at the ${side}: take the picture again with the whole document and some space around it.`
    : null;
};

const SIDES = ['left', 'right', 'top', 'bottom'] as const;
type Side = (typeof SIDES)[number];
/** The lines that must touch a side: one at the top is enough, but beside the text one may be a smudge. */
const MIN_CUT: Readonly<Record<Side, number>> = { left: 2, right: 2, top: 1, bottom: 1 };
const EDGE = 0.004;
const MIN_CONFIDENCE = 0.5;

const touches = ({ words, place: { size } }: Line, side: Side): boolean => {
  if (!size) return false;
  const edge = Math.max(2, EDGE * Math.min(size.width, size.height));
  return words.some(({ text, confidence, box }) => {
    if (!box || confidence < MIN_CONFIDENCE || !/[\p{L}\d]{2}/u.test(text)) return false;
    const { left, top, right, bottom } = box;
    return { left, top, right: size.width - right, bottom: size.height - bottom }[side] <= edge;
  });
};

/** Throws PoorPicture for pictures of one file without any text, unless they are blank and may be. */
export const checkText = (
  label: string,
  judged: readonly JudgedPicture[],
  { blank }: PictureQuality,
): void => {
  if (judged.reduce((sum, { read }) => sum + clearLetters(read), 0) >= MIN_LETTERS) return;
  const isBlank = judged.every(({ measures }) => measures.ink < MIN_INK);
  if (isBlank && blank === 'allow') return;
  throw new PoorPicture(
    isBlank
      ? `"${label}" is blank, there is no text that can be read: was it the right side of the right sheet? Take the picture again.`
      : `"${label}" shows no text that can be read: take the picture again, sharp, in good light, with the whole document in it.`,
  );
};

/** Whether text was read on a page, as it is not on one of noise. */
export const isLegible = (read: Page): boolean => letterConfidence(wordsOn(read)) >= LEGIBLE && hasText(read);

const LEGIBLE = 0.6;
const MIN_LETTERS = 3;
/** A word or two of a blurred page may be read well by chance. */
const ENOUGH_LETTERS = 30;

const hasText = (read: Page): boolean => clearLetters(read) >= ENOUGH_LETTERS;

const clearLetters = (read: Page): number =>
  wordsOn(read)
    .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
    .reduce((sum, { text }) => sum + (text.match(/[\p{L}\d]/gu) ?? []).length, 0);
