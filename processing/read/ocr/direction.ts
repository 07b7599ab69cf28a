import { levelled } from '../../picture/level.ts';
import type { Grey } from '../../picture/pixels.ts';
import type { Rectangle } from '../../picture/rectangle.ts';
import type { Model } from './models.ts';
import { asTensor } from './transcribe.ts';

/** The lines that are asked, and the size of their pictures that the model was trained on. */
const MAX_LINES = 12;
const SIZE = { width: 192, height: 48 };

/** Whether text stands on its head in a picture: in the mean of the middles of its longest lines. */
export const isUpsideDown = async (
  picture: Grey,
  regions: readonly Rectangle[],
  model: Model,
): Promise<boolean> => {
  const longest = regions.toSorted((a, b) => b.width - a.width).slice(0, MAX_LINES);
  let sum = 0;
  for (const region of longest) {
    const part = { ...region, width: Math.min(region.width, (region.height * SIZE.width) / SIZE.height) };
    const width = Math.max(1, Math.round((part.width / part.height) * SIZE.height));
    const line = levelled(picture, part, { width, height: SIZE.height });
    const { data } = await model(asTensor(line, SIZE.width));
    sum += (data[1] ?? 0) - (data[0] ?? 0);
  }
  return sum > 0;
};
