import { DomainError } from '../../kernel/decider.ts';
import { pick } from '../../kernel/pick.ts';
import { closed, type Of, oneOf, share, Type } from '../../kernel/schema.ts';
import { fraudCheckTypes } from '../fraud/checks.ts';
import { FraudAnswers } from '../workflow.ts';
import type { Submission } from './state.ts';

/** Fraud statuses (fraud-10); a submission that was never checked has none. */
export const fraudStatuses = ['clean', 'flagged', 'blocked'] as const;
/** One of them. */
export const FraudStatus = oneOf(fraudStatuses);
export type FraudStatus = Of<typeof FraudStatus>;
/** From 0 to 1. */
export const FraudScore = share('the greatest score of the matches that are not dismissed');

/** What a reviewer can make of a match. */
export const resolutions = ['confirmed', 'dismissed'] as const;
export type Resolution = (typeof resolutions)[number];

/** One finding of a check, without what was compared: that is private. */
export const StoredMatch = closed({
  id: Type.String(),
  checkType: oneOf(fraudCheckTypes),
  score: share('what the match weighs'),
  similarity: share('how similar they are'),
  matchedSubmissionId: Type.String(),
});
export type FraudMatch = Of<typeof StoredMatch> & Readonly<{ details: Readonly<Record<string, unknown>> }>;

/** A match with what a reviewer made of it; `resolution` is null while it is open. */
export type JudgedMatch = FraudMatch &
  Readonly<{ resolution: Resolution | null; resolvedBy: string | null; resolvedAt: string | null }>;

/**
 * The thresholds of a version (fraud-10); `answers` go before the score, and are absent where none is given.
 */
export const FraudPolicy = closed({
  flagAt: share('the score that flags'),
  blockAt: share('the score that blocks'),
  requireResolution: Type.Boolean({
    description: 'whether a match that blocks must be dismissed before approval',
  }),
  answers: Type.Optional(FraudAnswers),
});
export type FraudPolicy = Of<typeof FraudPolicy>;

/**
 * The greatest score of the matches that were not dismissed, else 0, and the gravest status that one of them
 * gives, by the version's answer to its check, else by its score (fraud-10).
 */
export const assessFraud = (
  matches: readonly JudgedMatch[],
  policy: FraudPolicy,
): Readonly<{ fraudStatus: FraudStatus; fraudScore: number }> => {
  const standing = matches.filter((match) => match.resolution !== 'dismissed');
  const fraudScore = Math.max(0, ...standing.map((match) => match.score));
  const given = standing.map((match) => statusOf(match, policy));
  const fraudStatus = (['blocked', 'flagged'] as const).find((status) => given.includes(status)) ?? 'clean';
  return { fraudStatus, fraudScore };
};

/** The fraud status that a match gives its submission until it is dismissed. */
export const statusOf = (
  { checkType, score }: Pick<FraudMatch, 'checkType' | 'score'>,
  { flagAt, blockAt, answers }: FraudPolicy,
): FraudStatus => {
  const answer = answers?.[checkType];
  if (answer) return ({ block: 'blocked', flag: 'flagged', allow: 'clean' } as const)[answer];
  if (score >= blockAt) return 'blocked';
  return score >= flagAt ? 'flagged' : 'clean';
};

/** A match as a check reports it: open. */
export const openMatch = (match: FraudMatch): JudgedMatch => ({
  ...match,
  resolution: null,
  resolvedBy: null,
  resolvedAt: null,
});

/**
 * Refuses the approval of what a fraud match blocks. Throws `FraudUnresolved` while one is open, else
 * `FraudConfirmed` (fraud-10).
 */
export const refuseBlocked = (state: Submission): void => {
  const policy = state.fraudPolicy;
  if (state.fraudStatus !== 'blocked' || !policy?.requireResolution) return;
  const blocking = state.fraudMatches.filter(
    (match) => match.resolution !== 'dismissed' && statusOf(match, policy) === 'blocked',
  );
  const open = blocking.filter((match) => match.resolution === null);
  const facts = (matches: readonly JudgedMatch[]) => ({
    currentStatus: state.status,
    fraudMatches: matches.map((match) => pick(match, 'id', 'checkType', 'score', 'matchedSubmissionId')),
  });
  const call = `POST /api/v1/submissions/${state.routing.submissionId}/fraud-matches/{id}/resolve`;
  if (open.length > 0)
    throw new DomainError(
      'FraudUnresolved',
      `Open fraud matches block it: resolve each of \`fraudMatches\` first, by ${call}.`,
      facts(open),
    );
  throw new DomainError(
    'FraudConfirmed',
    `Confirmed fraud matches block it: reject it or, where one was confirmed by mistake, dismiss that by ${call}.`,
    facts(blocking),
  );
};
