import type { Grey } from './grey.ts';

/** A page is looked at in so many parts along each side. */
const PARTS = 16;
/** Neighbours whose grey differs by less in the mean than this show nothing. */
const LEAST_CHANGE = 2;
/** How far the parts of noise differ from each other at most, as a share of their mean: by 0.02 to 0.06. Those of pages do by 0.25 to 1.2: text has gaps and margins. */
const EVEN = 0.08;

/** Whether a picture is as restless everywhere: noise, in which recognition would look for words for minutes. */
export const isNoise = ({ data, width, height }: Grey): boolean => {
  const changes = new Float64Array(PARTS * PARTS);
  const counts = new Float64Array(PARTS * PARTS);
  for (let y = 0; y < height; y += 2)
    for (let x = 1; x < width; x += 1) {
      const part = Math.floor((y * PARTS) / height) * PARTS + Math.floor((x * PARTS) / width);
      const at = y * width + x;
      changes[part] = (changes[part] ?? 0) + Math.abs((data[at] ?? 0) - (data[at - 1] ?? 0));
      counts[part] = (counts[part] ?? 0) + 1;
    }
  const restless = [...changes].map((change, part) => change / Math.max(1, counts[part] ?? 0));
  const mean = restless.reduce((sum, one) => sum + one, 0) / restless.length;
  const spread = Math.sqrt(restless.reduce((sum, one) => sum + (one - mean) ** 2, 0) / restless.length);
  return mean >= LEAST_CHANGE && spread < EVEN * mean;
};
