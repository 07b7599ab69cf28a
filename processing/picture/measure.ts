import { inkOf } from './letters.ts';
import { type Grey, quantile, resized } from './pixels.ts';

/**
 * Of a picture, from 0 to 1. `sharpness`: how much of an edge of a letter lies between two neighbouring
 * pixels; `brightness`: that of its paper; `glare`: the share that is overexposed, where the rest is not
 * white; `ink`: the share darker than the paper; `busy`: the share darker than its surroundings.
 */
export type Measures = Readonly<Record<'sharpness' | 'brightness' | 'glare' | 'ink' | 'busy', number>>;

const SIDE = 1_000;
const BLOCK = 16;
const OVEREXPOSED = 250;
const GREY = 240;
/** What is darker is no paper, but what it lies on. */
const MIN_PAPER = 100;
const FLAT = 60;
/** With less grey paper than this a picture is a scan on white, of which nothing is overexposed. */
const MIN_GREY_SHARE = 0.1;
const MIN_CONTRAST = 20;

/** Measures a grey picture as it was taken, on a copy of at most 1,000 pixels a side. */
export const measure = async (picture: Grey): Promise<Measures> => {
  const scale = Math.min(1, SIDE / Math.min(picture.width, picture.height));
  const small = await resized(picture, { width: picture.width * scale, height: picture.height * scale });
  const { data } = small;
  const paper = quantile(data, 0.5);
  const blocks = blocksOf(small);
  const darker = data.reduce((count, value) => count + (value < paper * 0.75 ? 1 : 0), 0);
  return {
    sharpness: sharpnessOf(blocks),
    brightness: quantile(data, 0.9) / 255,
    glare: glareOf(blocks),
    ink: darker / data.length,
    busy: inkOf(small).reduce((sum, dark) => sum + dark, 0) / data.length,
  };
};

/** A square of a picture: its darkest and brightest pixel, and the greatest step between two neighbours. */
type Block = Readonly<{ least: number; most: number; step: number }>;

const glareOf = (blocks: readonly Block[]): number => {
  const share = (is: (block: Block) => boolean): number =>
    blocks.filter(is).length / Math.max(1, blocks.length);
  const grey = share(({ least, most }) => most < GREY && most >= MIN_PAPER && most - least < FLAT);
  return grey < MIN_GREY_SHARE ? 0 : share(({ least }) => least >= OVEREXPOSED);
};

const sharpnessOf = (blocks: readonly Block[]): number => {
  const ranges = blocks.map(({ least, most }) => most - least).sort((a, b) => a - b);
  const strong = Math.max(MIN_CONTRAST, (ranges[Math.floor(ranges.length * 0.95)] ?? 0) / 2);
  const edges = blocks
    .filter(({ least, most }) => most - least >= strong)
    .map(({ least, most, step }) => step / (most - least))
    .sort((a, b) => a - b);
  return edges[edges.length >> 1] ?? 0;
};

const blocksOf = ({ data, width, height }: Grey): readonly Block[] => {
  const blocks: Block[] = [];
  for (let top = 0; top + BLOCK < height; top += BLOCK)
    for (let left = 0; left + BLOCK < width; left += BLOCK) {
      let [least, most, step] = [255, 0, 0];
      for (let y = top; y < top + BLOCK; y += 1)
        for (let x = left; x < left + BLOCK; x += 1) {
          const at = y * width + x;
          const value = data[at] ?? 0;
          least = Math.min(least, value);
          most = Math.max(most, value);
          step = Math.max(
            step,
            Math.abs(value - (data[at + 1] ?? 0)),
            Math.abs(value - (data[at + width] ?? 0)),
          );
        }
      blocks.push({ least, most, step });
    }
  return blocks;
};

const PARTS = 16;
const MIN_CHANGE = 2;
/**
 * The deviation between the parts of noise, as a share of their mean, is 0.02 to 0.06; that of pages 0.25 to
 * 1.2, as text has gaps and margins.
 */
const MAX_NOISE_DEVIATION = 0.08;

/** Whether a picture is noise everywhere, which recognition would search for words for minutes. */
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
  const means = [...changes].map((change, part) => change / Math.max(1, counts[part] ?? 0));
  const mean = means.reduce((sum, one) => sum + one, 0) / means.length;
  const deviation = Math.sqrt(means.reduce((sum, one) => sum + (one - mean) ** 2, 0) / means.length);
  return mean >= MIN_CHANGE && deviation < MAX_NOISE_DEVIATION * mean;
};
