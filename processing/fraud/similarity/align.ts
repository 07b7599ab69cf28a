import type { Affine } from '../../picture/affine.ts';
import { type Layer, layerOf } from './layer.ts';
import { fitted, laidOn, scaled } from './mapping.ts';
import { meet, nearest } from './meet.ts';

const COARSE = 8;
/** How much larger one print may lie on the other: as a rule, and where specks at an edge have widened the window of one of them. */
const SCALES = {
  near: [0.84, 0.88, 0.92, 0.96, 1, 1.04, 1.08, 1.13, 1.18],
  far: [0.68, 0.72, 0.76, 0.8, 1.24, 1.3, 1.36, 1.43],
} as const;
export type Scales = keyof typeof SCALES;
const COARSE_REACH = { across: 5, down: 13 };
/** Levels of refinement: how much smaller, how large a block is there, how far it is looked for. */
const LEVELS = [
  { shrink: 4, size: 14, reach: 3 },
  { shrink: 2, size: 16, reach: 3 },
  { shrink: 1, size: 24, reach: 3 },
  { shrink: 1, size: 24, reach: 2 },
] as const;

/** How one print lies on another (its points in the other's pixels, at full size), as well as it can be told, of some scales; null where nothing of them agrees. */
export const align = (one: Layer, other: Layer, scales: Scales): Affine | null => {
  let mapping = roughly(layerOf(one, COARSE), layerOf(other, COARSE), SCALES[scales]);
  if (mapping === null) return null;
  for (const { shrink, size, reach } of LEVELS) {
    const small = layerOf(one, shrink);
    const laid = laidOn(layerOf(other, shrink), small, scaled(mapping, 1 / shrink));
    const met = meet(small, laid, size, reach).filter(({ alike }) => alike > 0.4);
    const found = fitted(mapping, met, shrink);
    if (found === null) return null;
    mapping = found;
  }
  return mapping;
};

/** The best of some scales and shifts, tried on prints so small that all are tried. */
const roughly = (one: Layer, other: Layer, scales: readonly number[]): Affine | null => {
  let best: Readonly<{ alike: number; mapping: Affine }> | null = null;
  const whole = { x: 0, y: 0, width: one.width, height: one.height };
  for (const scale of scales) {
    const c = (other.width - one.width * scale) / 2;
    const f = (other.height - one.height * scale) / 2;
    const laid = laidOn(other, one, [scale, 0, c, 0, scale, f]);
    const { across, down, alike } = nearest(one, laid, whole, COARSE_REACH);
    if (alike > (best?.alike ?? 0.25))
      best = {
        alike,
        mapping: [scale, 0, (c + across * scale) * COARSE, 0, scale, (f + down * scale) * COARSE],
      };
  }
  return best?.mapping ?? null;
};
