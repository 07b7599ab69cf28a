import { type Grey, quantile } from './grey.ts';
import { inkOf } from './ink.ts';
import { resized } from './pixels.ts';

/**
 * How good a picture is to read, each from 0 to 1. `sharpness`: how much of an edge of a letter lies between two
 * neighbouring pixels; `brightness`: how bright its paper is; `glare`: the share of it that is burnt out, where the rest
 * is not white; `ink`: the share of it that is darker than its paper; `busy`: the share that is darker than what is around it.
 */
export type Measures = Readonly<{
  sharpness: number;
  brightness: number;
  glare: number;
  ink: number;
  busy: number;
}>;

const SIDE = 1_000;
const BLOCK = 16;
const BURNT = 250;
const GREY = 240;
/** What is darker is no paper, but what it lies on. */
const LEAST_PAPER = 100;
const FLAT = 60;
/** With less grey paper than this a picture is a scan on white, of which nothing is burnt out. */
const LEAST_GREY = 0.1;
const LEAST_CONTRAST = 20;

/** Measures a grey picture as it was taken, on a copy of 1,000 pixels a side at most. */
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
  const grey = share(({ least, most }) => most < GREY && most >= LEAST_PAPER && most - least < FLAT);
  return grey < LEAST_GREY ? 0 : share(({ least }) => least >= BURNT);
};

const sharpnessOf = (blocks: readonly Block[]): number => {
  const ranges = blocks.map(({ least, most }) => most - least).sort((a, b) => a - b);
  const strong = Math.max(LEAST_CONTRAST, (ranges[Math.floor(ranges.length * 0.95)] ?? 0) / 2);
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
