import type { Affine } from '../../picture/affine.ts';
import { type Grey, quantile } from '../../picture/grey.ts';
import { rotated } from '../../picture/pixels.ts';

/** What is turned by less, an outline makes level itself, of pages that nothing was read on as well. */
const LEAST = 6;
const PAPER = 0.75;

/** A picture turned as it was when it was read, where it lay on its side, stood on its head, or was far from level; `toPage` maps what was read to the picture. */
export const upright = async (picture: Grey, [a, , , d]: Affine): Promise<Grey> => {
  const degrees = -(Math.atan2(d, a) * 180) / Math.PI;
  const quarter = 90 * Math.round(degrees / 90);
  const turn = Math.abs(degrees - quarter) < LEAST ? quarter : degrees;
  return turn === 0 ? picture : rotated(picture, turn, quantile(picture.data, PAPER));
};
