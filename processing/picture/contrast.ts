import { type Grey, quantile } from './grey.ts';

const DARKEST = 0.005;
/** Print that is brighter than this share of its paper is stretched until it is as dark as PRINT. */
const FAINT = 0.65;
const PRINT = 0.4;
/** What is brighter than this are the folds of a blank page, its noise, or the print on its back. */
const NOTHING = 0.9;

/**
 * A picture whose faint print (thermal paper that faded, a copy of a copy) is made darker, its paper kept as bright as it is. How faint it
 * is is judged on a copy of some 800 pixels a side, where grains of noise are fainter than strokes.
 */
export const contrasted = ({ data, width, height }: Grey, copy: Grey): Grey => {
  const paper = quantile(copy.data, 0.5);
  const print = quantile(copy.data, DARKEST);
  if (print <= paper * FAINT || print >= paper * NOTHING) return { data, width, height };
  const factor = (paper * (1 - PRINT)) / (paper - print);
  const darker = Uint8Array.from({ length: 256 }, (_, value) =>
    value < paper ? Math.max(0, Math.round(paper - (paper - value) * factor)) : value,
  );
  return { data: data.map((value) => darker[value] ?? value), width, height };
};
