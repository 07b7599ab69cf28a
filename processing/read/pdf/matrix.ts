import type { Affine } from '../../picture/affine.ts';

/** A map of points as PDF writes it: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly number[];

/** The same in the order of this project. */
export const affineOf = ([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Matrix): Affine => [a, c, e, b, d, f];
