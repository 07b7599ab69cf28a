import type { ReviewReason } from '../domain/submission/result.ts';
import type { Processing } from '../domain/workflow.ts';
import type { Extracted } from './types.ts';

type Judged = Pick<Extracted, 'findings' | 'confidence' | 'extractedData' | 'fieldConfidences'>;

/**
 * Why extracted data need a review: a required field is missing or a value is invalid, the confidence is
 * below `reviewBelow`, or the version always has one. No reasons: approved.
 */
export const reviewReasons = (
  extracted: Judged,
  { review, reviewBelow }: Pick<Processing, 'review' | 'reviewBelow'>,
): readonly ReviewReason[] => [
  ...extracted.findings,
  ...(extracted.confidence < reviewBelow ? lowConfidence(extracted, reviewBelow) : []),
  ...(review === 'always' ? [{ code: 'always_review', field: null } as const] : []),
];

/** The fields below the threshold, else the lowest one; null stands for all when nothing was found. */
const lowConfidence = (
  { extractedData, fieldConfidences }: Judged,
  reviewBelow: number,
): readonly ReviewReason[] => {
  const found = Object.entries(fieldConfidences).filter(([name]) => extractedData[name] !== null);
  const weak = found.filter(([, confidence]) => confidence < reviewBelow).map(([name]) => name);
  const [lowest] = found.sort(([, one], [, other]) => one - other);
  const fields = weak.length > 0 ? weak : [lowest?.[0] ?? null];
  return fields.map((field) => ({ code: 'low_confidence', field }));
};
