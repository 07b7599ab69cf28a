import { upperBound } from './intervals.ts';

/** What was read with a confidence, and whether it was wrong. */
export type Read = Readonly<{ confidence: number; isWrong: boolean }>;

/**
 * What a threshold comes to on a set: `approved` of it are at or above, and `wrong` of these; `atMost` is the
 * share of wrong ones among all such that is not exceeded, with 95 % confidence.
 */
export type Threshold = Readonly<{ reviewBelow: number; approved: number; wrong: number; atMost: number }>;

/**
 * The lowest threshold that holds, and how many there are in all; `needed`: so many, none of them wrong,
 * would have to be at or above a threshold for it to hold.
 */
export type Advice = Readonly<{ total: number; needed: number; threshold: Threshold | null }>;

/** The share that may be wrong of what no person sees, where none is wished. */
export const USUAL_MAX_WRONG = 0.01;

const ALPHA = 0.05;

/**
 * The lowest confidence from which on at most a share of `maxWrong` is wrong, with 95 % confidence.
 * Thresholds are tried from the highest one down, and the first that does not hold ends it: so the confidence
 * is that of the whole search, not of each try. None holds on a set that is too small.
 */
export const advise = (reads: readonly Read[], maxWrong: number): Advice => {
  const needed = Math.ceil(Math.log(ALPHA) / Math.log1p(-maxWrong));
  let threshold: Threshold | null = null;
  for (const tried of thresholdsOf(reads)) {
    // A smaller number can't show it, whatever it holds.
    if (tried.approved < needed) continue;
    if (tried.atMost > maxWrong) break;
    threshold = tried;
  }
  return { total: reads.length, needed, threshold };
};

function* thresholdsOf(reads: readonly Read[]): Generator<Threshold> {
  const sorted = reads.toSorted((one, other) => other.confidence - one.confidence);
  let wrong = 0;
  for (const [index, { confidence, isWrong }] of sorted.entries()) {
    if (isWrong) wrong += 1;
    // All of the same confidence are above it, or none is.
    if (sorted[index + 1]?.confidence === confidence) continue;
    const approved = index + 1;
    yield { reviewBelow: confidence, approved, wrong, atMost: upperBound(wrong, approved, ALPHA) };
  }
}
