import type { Grey } from './grey.ts';
import { medianOf, resized } from './pixels.ts';

const SHRINK = 8;
const MEDIAN = 9;
const PAPER = 215;

/** A picture divided by its paper: what a median over a small copy leaves. Shadows and dark paper become white. */
export const evenlyLit = async (picture: Grey): Promise<Grey> => {
  const { width, height } = picture;
  const small = await resized(picture, { width: width / SHRINK, height: height / SHRINK });
  const paper = await resized(await medianOf(small, MEDIAN), picture);
  const data = picture.data.map((value, index) =>
    Math.min(255, (value * PAPER) / Math.max(1, paper.data[index] ?? 0)),
  );
  return { data, width, height };
};
