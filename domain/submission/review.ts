import { DomainError } from '../../kernel/decider.ts';
import type {
  Correction,
  SubmissionApproved,
  SubmissionCancelled,
  SubmissionFraudMatchResolved,
  SubmissionRejected,
} from './events.ts';
import { forgotten } from './fingerprints.ts';
import { assessFraud, type JudgedMatch, type Resolution, statusOf } from './fraud.ts';
import { move, present } from './guard.ts';
import type { Submission } from './state.ts';
import { owing, type SyncTarget } from './sync.ts';
import { undecided } from './transitions.ts';

export type Approve = Readonly<{
  type: 'Approve';
  comment: string | null;
  actor: string | null;
  /** Field name to the value a person gave; null clears. */
  corrections: Readonly<Record<string, unknown>>;
}> &
  SyncTarget;
export type Reject = Readonly<{ type: 'Reject'; reason: string | null; actor: string | null }>;
export type Cancel = Readonly<{ type: 'Cancel'; reason: string | null; actor: string | null }>;
export type ResolveFraudMatch = Readonly<{
  type: 'ResolveFraudMatch';
  matchId: string;
  resolution: Resolution;
  resolvedBy: string;
  comment: string | null;
  resolvedAt: string;
}>;

/**
 * A reviewer's approval. Throws `SubmissionNotInReview`, and while fraud blocks it `FraudUnresolved` or `FraudConfirmed`
 * (fraud-22).
 */
export const approve = (command: Approve, current: Submission | null): readonly SubmissionApproved[] => {
  const state = present(current);
  const change = move(state, 'approved', 'SubmissionNotInReview', ['review']);
  refuseBlocked(state);
  const { comment, actor } = command;
  const data = {
    ...state.routing,
    ...change,
    ...owing(command, state),
    private: { comment, actor, corrections: corrections(command, state) },
  };
  return [{ type: 'SubmissionApproved', data }];
};

/** A reviewer's rejection, which is final. Throws `SubmissionNotInReview`. */
export const reject = (command: Reject, current: Submission | null): readonly SubmissionRejected[] => {
  const state = present(current);
  const change = move(state, 'rejected', 'SubmissionNotInReview');
  const { reason, actor } = command;
  return [{ type: 'SubmissionRejected', data: { ...state.routing, ...change, private: { reason, actor } } }];
};

/** A cancellation before the submission is approved or synced. Throws `SubmissionNotCancellable`. */
export const cancel = (command: Cancel, current: Submission | null): readonly SubmissionCancelled[] => {
  const state = present(current);
  const change = move(state, 'cancelled', 'SubmissionNotCancellable');
  const { reason, actor } = command;
  const data = { ...state.routing, ...change, ...forgotten(state), private: { reason, actor } };
  return [{ type: 'SubmissionCancelled', data }];
};

/**
 * A reviewer's judgement of a match, in every status; it replaces another one while the submission is not
 * final. Nothing when it is the same again. Throws `FraudMatchNotFound`, `FraudMatchResolved` when it was
 * resolved otherwise and the submission is final.
 */
export const resolveFraudMatch = (
  command: ResolveFraudMatch,
  current: Submission | null,
): readonly SubmissionFraudMatchResolved[] => {
  const state = present(current);
  const { matchId, resolution, resolvedBy, comment, resolvedAt } = command;
  const match = state.fraudMatches.find(({ id }) => id === matchId);
  if (!match || !state.fraudPolicy) {
    throw new DomainError('FraudMatchNotFound', 'There is no such fraud match.');
  }
  if (match.resolution === resolution) return [];
  if (match.resolution !== null && !undecided.includes(state.status)) {
    const message = `The match has been ${match.resolution}, and the submission is ${state.status}: a resolution can be replaced until then only.`;
    throw new DomainError('FraudMatchResolved', message, {
      currentStatus: state.status,
      allowedFrom: undecided,
    });
  }
  const judged = state.fraudMatches.map((other) => (other.id === matchId ? { ...other, resolution } : other));
  const fraud = assessFraud(judged, state.fraudPolicy);
  const data = {
    ...state.routing,
    matchId,
    resolution,
    ...(match.resolution === null ? {} : { previousResolution: match.resolution }),
    resolvedAt,
    ...fraud,
    private: { resolvedBy, comment },
  };
  return [{ type: 'SubmissionFraudMatchResolved', data }];
};

const refuseBlocked = (state: Submission): void => {
  const policy = state.fraudPolicy;
  if (state.fraudStatus !== 'blocked' || !policy?.requireResolution) return;
  const blocking = state.fraudMatches.filter(
    (match) => match.resolution !== 'dismissed' && statusOf(match, policy) === 'blocked',
  );
  const open = blocking.filter((match) => match.resolution === null);
  const told = (matches: readonly JudgedMatch[]) => ({
    currentStatus: state.status,
    fraudMatches: matches.map(({ id, checkType, score, matchedSubmissionId }) => ({
      ...{ id, checkType, score, matchedSubmissionId },
    })),
  });
  const call = `POST /api/v1/submissions/${state.routing.submissionId}/fraud-matches/{id}/resolve`;
  if (open.length > 0)
    throw new DomainError(
      'FraudUnresolved',
      `Open fraud matches block it: resolve each of \`fraudMatches\` first, by ${call}.`,
      told(open),
    );
  throw new DomainError(
    'FraudConfirmed',
    `Confirmed fraud matches block it: reject it or, where one was confirmed by mistake, dismiss that by ${call}.`,
    told(blocking),
  );
};

const corrections = (command: Approve, state: Submission): readonly Correction[] => {
  const machine: Readonly<Record<string, unknown>> =
    typeof state.extractedData === 'object' && state.extractedData !== null ? state.extractedData : {};
  return Object.entries(command.corrections).map(([field, humanValue]) => ({
    field,
    machineValue: Object.hasOwn(machine, field) ? machine[field] : null,
    humanValue,
  }));
};
