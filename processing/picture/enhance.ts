import { lettersOf } from './letters.ts';
import { blurred, type Grey, medianOf, quantile, resized } from './pixels.ts';

const SHRINK = 8;
const BACKGROUND_MEDIAN = 9;
const PAPER = 215;

/** A picture divided by its background (the median of a small copy): shadows and dark paper become white. */
export const evenlyLit = async (picture: Grey): Promise<Grey> => {
  const small = await resized(picture, { width: picture.width / SHRINK, height: picture.height / SHRINK });
  const paper = await resized(await medianOf(small, BACKGROUND_MEDIAN), picture);
  const data = picture.data.map((value, index) =>
    Math.min(255, (value * PAPER) / Math.max(1, paper.data[index] ?? 0)),
  );
  return { ...picture, data };
};

const DARKEST = 0.005;
/** Print brighter than this share of its paper is stretched until it is as dark as PRINT. */
const FAINT = 0.65;
const PRINT = 0.4;
/** What is brighter than this is no print: folds of a blank page, noise, print on the back. */
const BLANK = 0.9;

/**
 * A picture whose faint print (faded thermal paper, a copy of a copy) is darkened; its paper keeps its
 * brightness. Faintness is judged on a copy of some 800 pixels a side, where noise is fainter than strokes.
 */
export const contrasted = (picture: Grey, copy: Grey): Grey => {
  const paper = quantile(copy.data, 0.5);
  const print = quantile(copy.data, DARKEST);
  if (print <= paper * FAINT || print >= paper * BLANK) return picture;
  const factor = (paper * (1 - PRINT)) / (paper - print);
  const darker = Uint8Array.from({ length: 256 }, (_, value) =>
    value < paper ? Math.max(0, Math.round(paper - (paper - value) * factor)) : value,
  );
  return { ...picture, data: picture.data.map((value) => darker[value] ?? value) };
};

const DARK_GROUND = 100;
const MIN_LETTERS = 20;
/** Within and between dark letters are bright spots too, but fewer. */
const MIN_RATIO = 1.5;

/**
 * Whether a small picture (some 800 pixels a side) shows bright letters on dark ground, as a negative copy or
 * a screen does; paper on a dark table does not.
 */
export const isNegative = (picture: Grey): boolean => {
  if (quantile(picture.data, 0.5) > DARK_GROUND) return false;
  const bright = lettersOf(inverted(picture)).length;
  return bright >= MIN_LETTERS && bright > MIN_RATIO * lettersOf(picture).length;
};

/** The picture with dark and bright exchanged. */
export const inverted = (picture: Grey): Grey => ({
  ...picture,
  data: picture.data.map((value) => 255 - value),
});

const DARK_DOT = 128;
/** Shares of pixels that are isolated dots: clean scans have at most a quarter of the first. */
const MIN_SPECKLED = 0.01;
const MIN_DITHERED = 0.03;
/** In pixels: wide enough to turn dots into grey, narrow enough to keep strokes. */
const BLUR_RADIUS = 1.2;
const SPECK = 3;
const [BLACK, WHITE, MAX_GREY] = [30, 225, 0.05];

/**
 * A picture without dots, which recognition would search for words for minutes: grey that a fax dithered in
 * one bit becomes grey again, specks vanish.
 */
export const withoutDots = async (picture: Grey): Promise<Grey> => {
  const dots = isolatedDots(picture) / picture.data.length;
  if (dots < MIN_SPECKLED) return picture;
  return dots > MIN_DITHERED && isOneBit(picture) ? blurred(picture, BLUR_RADIUS) : medianOf(picture, SPECK);
};

const isolatedDots = ({ data, width }: Grey): number => {
  const isDark = (at: number): boolean => (data[at] ?? 255) < DARK_DOT;
  let count = 0;
  for (let at = 0; at < data.length; at += 1)
    if (isDark(at) && !isDark(at - 1) && !isDark(at + 1) && !isDark(at - width) && !isDark(at + width))
      count += 1;
  return count;
};

const isOneBit = ({ data }: Grey): boolean => {
  let grey = 0;
  for (const value of data) if (value > BLACK && value < WHITE) grey += 1;
  return grey < MAX_GREY * data.length;
};
