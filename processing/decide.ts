import type { Finding, ReviewPolicy } from './types.ts';

/** Why a person has to look (contract: reviewReasons); `field` is null where it is about the whole. */
export type ReviewReason = Readonly<{
  code: 'missing_required' | 'invalid_field' | 'low_confidence' | 'always_review';
  field: string | null;
}>;

/**
 * Why extracted data need a review: a required field is missing or a value is invalid, the confidence is below
 * `reviewBelow`, or the version always asks for one. No reasons: approved (contract decisions, section 2).
 */
export const reviewReasons = (
  findings: readonly Finding[],
  confidence: number,
  { review, reviewBelow }: ReviewPolicy,
): readonly ReviewReason[] => [
  ...findings,
  ...(confidence < reviewBelow ? [{ code: 'low_confidence', field: null } as const] : []),
  ...(review === 'always' ? [{ code: 'always_review', field: null } as const] : []),
];
