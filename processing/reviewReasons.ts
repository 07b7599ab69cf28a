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
  ...(extracted.confidence < reviewBelow ? weakFields(extracted, reviewBelow).map(lowConfidence) : []),
  ...(review === 'always' ? [{ code: 'always_review', field: null } as const] : []),
];

const lowConfidence = (field: string | null): ReviewReason => ({ code: 'low_confidence', field });

/**
 * The fields with a lower confidence, else the one with the lowest; null stands for all when nothing was
 * found.
 */
const weakFields = (
  { extractedData, fieldConfidences }: Judged,
  reviewBelow: number,
): readonly (string | null)[] => {
  const found = Object.entries(fieldConfidences).filter(([name]) => extractedData[name] !== null);
  const weak = found.filter(([, confidence]) => confidence < reviewBelow).map(([name]) => name);
  const [least] = found.sort(([, one], [, other]) => one - other);
  return weak.length > 0 ? weak : [least?.[0] ?? null];
};
