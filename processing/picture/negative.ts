import { type Grey, quantile } from './grey.ts';
import { lettersOf } from './letters.ts';

/** Paper in good light is brighter. */
const DARK = 100;
const FEWEST = 20;
/** Within and between dark letters are bright spots too, but fewer. */
const CLEARLY = 1.5;

/** Whether a small picture (some 800 pixels a side) shows bright letters on dark ground, as a negative copy does, or a screen: paper that lies on a dark table does not. */
export const isNegative = (picture: Grey): boolean => {
  if (quantile(picture.data, 0.5) > DARK) return false;
  const bright = lettersOf(inverted(picture)).length;
  return bright >= FEWEST && bright > CLEARLY * lettersOf(picture).length;
};

/** The picture with dark and bright exchanged. */
export const inverted = ({ data, ...size }: Grey): Grey => ({
  ...size,
  data: data.map((value) => 255 - value),
});
