import type { Affine } from '../../picture/affine.ts';
import { bestShift, matchBlocks } from './blocks.ts';
import { type Layer, shrunk } from './layer.ts';
import { fitted, laidOn, scaled } from './mapping.ts';

const COARSE = 8;
/** The scales at which one may lie on the other: as a rule, and where specks at an edge have widened the window of one. */
const SCALES = {
  near: [0.84, 0.88, 0.92, 0.96, 1, 1.04, 1.08, 1.13, 1.18],
  far: [0.68, 0.72, 0.76, 0.8, 1.24, 1.3, 1.36, 1.43],
} as const;
export type Scales = keyof typeof SCALES;
const COARSE_REACH = { across: 5, down: 13 };
/** Levels of refinement: how much smaller the layers are, the size of a block, and how far it is searched. */
const LEVELS = [
  { shrink: 4, size: 14, reach: 3 },
  { shrink: 2, size: 16, reach: 3 },
  { shrink: 1, size: 24, reach: 3 },
  { shrink: 1, size: 24, reach: 2 },
] as const;

/** The best mapping of one layer's points to the other's pixels at full size, from some scales on; null where nothing agrees. */
export const align = (one: Layer, other: Layer, scales: Scales): Affine | null => {
  let mapping = roughly(shrunk(one, COARSE), shrunk(other, COARSE), SCALES[scales]);
  if (mapping === null) return null;
  for (const { shrink, size, reach } of LEVELS) {
    const small = shrunk(one, shrink);
    const laid = laidOn(shrunk(other, shrink), small, scaled(mapping, 1 / shrink));
    const matches = matchBlocks(small, laid, size, reach).filter(({ correlation }) => correlation > 0.4);
    const found = fitted(mapping, matches, shrink);
    if (found === null) return null;
    mapping = found;
  }
  return mapping;
};

/** The best of some scales and all shifts, tried on small layers. */
const roughly = (one: Layer, other: Layer, scales: readonly number[]): Affine | null => {
  let best: Readonly<{ correlation: number; mapping: Affine }> | null = null;
  const whole = { x: 0, y: 0, width: one.width, height: one.height };
  for (const scale of scales) {
    const c = (other.width - one.width * scale) / 2;
    const f = (other.height - one.height * scale) / 2;
    const laid = laidOn(other, one, [scale, 0, c, 0, scale, f]);
    const { across, down, correlation } = bestShift(one, laid, whole, COARSE_REACH);
    if (correlation > (best?.correlation ?? 0.25))
      best = {
        correlation,
        mapping: [scale, 0, (c + across * scale) * COARSE, 0, scale, (f + down * scale) * COARSE],
      };
  }
  return best?.mapping ?? null;
};
