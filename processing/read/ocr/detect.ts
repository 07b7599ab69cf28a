import { letterHeight } from '../../picture/letters.ts';
import { type Grey, resized } from '../../picture/pixels.ts';
import { type Rectangle, scaled } from '../../picture/rectangle.ts';
import { textRegions } from '../../picture/textRegions.ts';
import type { Model, Tensor } from './models.ts';

/**
 * A picture is shrunk to letters of this height, and to these limits, before text is searched in it: its
 * pixels cost the most memory and, beside those of lines, the most time. What its sides are multiples of.
 */
const LETTERS = 16;
const MAX_SIDE = 1_536;
const MAX_PIXELS = 700_000;
const STEP = 32;
/** What the model was trained on: the mean and the deviation of blue, green and red, as shares of white. */
const MEANS = [0.485, 0.456, 0.406];
const DEVIATIONS = [0.229, 0.224, 0.225];

/** Where text is in a picture, in its pixels. */
export const detect = async (picture: Grey, model: Model): Promise<readonly Rectangle[]> => {
  const scale = Math.min(
    1,
    LETTERS / (letterHeight(picture) ?? LETTERS),
    MAX_SIDE / Math.max(picture.width, picture.height),
    Math.sqrt(MAX_PIXELS / (picture.width * picture.height)),
  );
  const small = await resized(picture, {
    width: stepped(picture.width * scale),
    height: stepped(picture.height * scale),
  });
  const { width, height } = small;
  const { data } = await model(inColour(small));
  return textRegions({ data, width, height }).map((region) =>
    scaled(region, picture.width / width, picture.height / height),
  );
};

const stepped = (side: number): number => Math.max(1, Math.round(side / STEP)) * STEP;

const inColour = ({ data, width, height }: Grey): Tensor => {
  const values = new Float32Array(3 * data.length);
  MEANS.forEach((mean, channel) => {
    const [start, deviation] = [channel * data.length, DEVIATIONS[channel] ?? 1];
    for (let at = 0; at < data.length; at += 1)
      values[start + at] = ((data[at] ?? 0) / 255 - mean) / deviation;
  });
  return { data: values, sides: [1, 3, height, width] };
};
