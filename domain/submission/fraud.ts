import type { FraudCheck } from '../workflow.ts';

/** Fraud statuses (contract, section 3); a submission that was never checked has none. */
export const fraudStatuses = ['clean', 'flagged', 'blocked'] as const;
export type FraudStatus = (typeof fraudStatuses)[number];

/** What a reviewer can make of a match (decisions, section 3). */
export const resolutions = ['confirmed', 'dismissed'] as const;
export type Resolution = (typeof resolutions)[number];

/** One finding of a check; `score` and `similarity` from 0 to 1. */
export type FraudMatch = Readonly<{
  id: string;
  checkType: FraudCheck;
  score: number;
  similarity: number;
  matchedSubmissionId: string;
  details: Readonly<Record<string, unknown>>;
}>;

/** A match with what a reviewer made of it; `resolution` is null while it is open. */
export type JudgedMatch = FraudMatch &
  Readonly<{ resolution: Resolution | null; resolvedBy: string | null; resolvedAt: string | null }>;

/** Where a version draws its lines (decisions, section 4). */
export type FraudPolicy = Readonly<{ flagAt: number; blockAt: number; requireResolution: boolean }>;

/** The greatest score of the matches that were not dismissed, else 0, and the status it gives (decisions, section 4). */
export const assessFraud = (
  matches: readonly JudgedMatch[],
  policy: FraudPolicy,
): Readonly<{ fraudStatus: FraudStatus; fraudScore: number }> => {
  const fraudScore = Math.max(
    0,
    ...matches.filter((match) => match.resolution !== 'dismissed').map((match) => match.score),
  );
  if (fraudScore >= policy.blockAt) return { fraudStatus: 'blocked', fraudScore };
  return { fraudStatus: fraudScore >= policy.flagAt ? 'flagged' : 'clean', fraudScore };
};

/** A match as a check reports it: open. */
export const openMatch = (match: FraudMatch): JudgedMatch => ({
  ...match,
  resolution: null,
  resolvedBy: null,
  resolvedAt: null,
});
