import { sharpness } from '../../picture/skew.ts';
import type { Strokes } from './strokes.ts';

const WIDEST = 6;
const STEP = 0.25;
const MOST_POINTS = 20_000;

/** By how many degrees (clockwise) lines of text run off the level, at most 6: where turned rows of ink are fullest and emptiest. */
export const skewOf = ({ data, width, height }: Strokes): number => {
  const points: (readonly [number, number])[] = [];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) if (data[y * width + x]) points.push([x - width / 2, y]);
  const every = Math.max(1, Math.ceil(points.length / MOST_POINTS));
  const some = points.filter((_, n) => n % every === 0);
  const sharpnessAt = (degrees: number): number => sharpness(some, { width, height }, -degrees);
  let best = 0;
  let most = sharpnessAt(0);
  for (let degrees = -WIDEST; degrees <= WIDEST; degrees += STEP) {
    const found = sharpnessAt(degrees);
    if (found > most) {
      most = found;
      best = degrees;
    }
  }
  return best;
};
