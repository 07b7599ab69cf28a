import type { PageKey } from '../../../domain/fraud/pages.ts';
import { profilesOf, type Strokes } from './strokes.ts';

const SIDE = 32;
const ACROSS = 6;
const DOWN = 10;
const BANDS = 4;
const BITS = 14;
/** Bits of a band, the least certain ones, that are flipped, one or two at a time. */
const UNSURE = 6;

/**
 * The keys of a layout: the signs of the lowest frequencies of the ink (a perceptual hash), in four bands of
 * fourteen bits. A copy differs in some bits, mostly in those near zero: each band is also looked up with one
 * or two of these flipped, the most likely first.
 */
export const layoutKeys = (strokes: Strokes): readonly PageKey[] => bandKeys(wavesOf(gridOf(strokes)));

/** How many frequencies the keys are made of. */
export const WAVES = BANDS * BITS;

/** The keys of amplitudes, the lowest frequency first: each sign is a bit, uncertain where it is weak. */
export const bandKeys = (waves: readonly number[]): readonly PageKey[] =>
  bandsOf(waves).map((own, band) => {
    const unsure = own
      .map((wave, place) => ({ place, size: Math.abs(wave) }))
      .sort((one, other) => one.size - other.size)
      .slice(0, UNSURE);
    const flips = [...unsure.map((one) => [one]), ...pairsOf(unsure)]
      .map((bits) => ({ places: bits.map(({ place }) => place), size: sumOf(bits.map(({ size }) => size)) }))
      .sort((one, other) => one.size - other.size);
    return { text: textOf(own, band, []), near: flips.map(({ places }) => textOf(own, band, places)) };
  });

const bandsOf = (waves: readonly number[]): readonly (readonly number[])[] =>
  Array.from({ length: BANDS }, (_, band) => waves.slice(band * BITS, (band + 1) * BITS));

/** A band with some of its bits flipped. */
const textOf = (own: readonly number[], band: number, places: readonly number[]): string =>
  `layout ${band} ${own.map((wave, place) => (wave > 0 === places.includes(place) ? 0 : 1)).join('')}`;

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

const pairsOf = <T>(items: readonly T[]): readonly (readonly [T, T])[] =>
  items.flatMap((one, n) => items.slice(n + 1).map((other) => [one, other] as const));

/** The ink in each cell of a grid over the bulk of the strokes, so that scale and position don't matter. */
const gridOf = (strokes: Strokes): Float64Array => {
  const { data, width } = strokes;
  const { columns, rows } = profilesOf(strokes);
  const [across, down] = [frameOf(columns), frameOf(rows)];
  const grid = new Float64Array(SIDE * SIDE);
  for (let at = 0; at < data.length; at += 1) {
    if (!data[at]) continue;
    const x = ((at % width) - across.from) * across.scale - 0.5;
    const y = (Math.floor(at / width) - down.from) * down.scale - 0.5;
    const [left, top] = [Math.floor(x), Math.floor(y)];
    for (const column of [left, left + 1])
      for (const row of [top, top + 1]) {
        if (column < 0 || row < 0 || column >= SIDE || row >= SIDE) continue;
        const share = column === left ? 1 - x + left : x - left;
        const part = row === top ? 1 - y + top : y - top;
        grid[row * SIDE + column] = (grid[row * SIDE + column] ?? 0) + share * part;
      }
  }
  return grid.map(Math.sqrt);
};

const OUTERMOST = 0.1;
const WIDER = 1.25;

const frameOf = (counts: Float64Array) => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const [low, high] = [reached(counts, total * OUTERMOST), reached(counts, total * (1 - OUTERMOST))];
  const length = Math.max(1, (high - low) * WIDER);
  return { from: (low + high - length) / 2, scale: SIDE / length };
};

const reached = (counts: Float64Array, share: number): number => {
  let sum = 0;
  for (const [at, count] of counts.entries()) {
    if (sum + count >= share) return at + (share - sum) / Math.max(1, count);
    sum += count;
  }
  return counts.length;
};

/** The lowest frequencies of a grid (its discrete cosine transform), which change least, the lowest first. */
const wavesOf = (grid: Float64Array): readonly number[] =>
  FREQUENCIES.map(([across, down]) => {
    let sum = 0;
    for (let y = 0; y < SIDE; y += 1) {
      let row = 0;
      for (let x = 0; x < SIDE; x += 1) row += (grid[y * SIDE + x] ?? 0) * cosine(across, x);
      sum += row * cosine(down, y);
    }
    return sum;
  });

const cosine = (frequency: number, place: number): number =>
  Math.cos((Math.PI * (place + 0.5) * frequency) / SIDE);

// Lines of text are wider than high: a frequency across says less than one down.
const FREQUENCIES = Array.from(
  { length: ACROSS * DOWN - 1 },
  (_, n) => [(n + 1) % ACROSS, Math.floor((n + 1) / ACROSS)] as const,
).sort(([x, y], [otherX, otherY]) => x * 1.6 + y - (otherX * 1.6 + otherY));
