import type { Submission } from '../submission/state.ts';
import { isRight, verdictOf } from './judge.ts';

/**
 * What a person's approval says of the values that were read, by field. `correctedSure`: those of the
 * corrected ones that no reason of the review named, so that nobody would have been asked about them.
 */
export type Checked = Readonly<{
  right: readonly string[];
  corrected: readonly string[];
  correctedSure: readonly string[];
}>;

type Approved = Pick<Submission, 'extractedData' | 'corrections' | 'reviewReasons' | 'attempt' | 'forced'>;

/**
 * What the approval of a submission says of its values, judged as an evaluation does. Null where nothing was
 * read in it, and of a redacted one.
 */
export const checkedValues = ({
  extractedData,
  corrections,
  reviewReasons,
  attempt,
  forced,
}: Approved): Checked | null => {
  // Without an attempt its values were typed; a forced outcome makes them up.
  const wasRead = attempt > 0 && !forced?.outcome;
  if (typeof extractedData !== 'object' || extractedData === null || !wasRead) return null;
  const wrong = corrections.filter(
    ({ machineValue: found, humanValue: truth }) => !isRight({ verdict: verdictOf({ truth, found }) }),
  );
  const corrected = wrong.map(({ field }) => field);
  const doubted = reviewReasons.map(({ field }) => field);
  return {
    right: Object.keys(extractedData).filter((name) => !corrected.includes(name)),
    corrected,
    correctedSure: wrong.flatMap(({ field, machineValue }) =>
      machineValue === null || doubted.includes(field) ? [] : field,
    ),
  };
};
