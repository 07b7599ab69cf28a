import type { ReviewReason } from '../domain/submission/events.ts';
import type { Processing } from '../domain/workflow.ts';
import type { Finding } from './types.ts';

/**
 * Why extracted data need a review: a required field is missing or a value is invalid, the confidence is below
 * `reviewBelow`, or the version always asks for one. No reasons: approved (contract decisions, section 2).
 */
export const reviewReasons = (
  findings: readonly Finding[],
  confidence: number,
  { review, reviewBelow }: Pick<Processing, 'review' | 'reviewBelow'>,
): readonly ReviewReason[] => [
  ...findings,
  ...(confidence < reviewBelow ? [{ code: 'low_confidence', field: null } as const] : []),
  ...(review === 'always' ? [{ code: 'always_review', field: null } as const] : []),
];
