import { never } from '../../kernel/decider.ts';
import { assessFraud, type FraudMatch, type FraudPolicy, openMatch } from './fraud.ts';
import { holdAttempt, move, present } from './guard.ts';
import { type Extraction, fail, type ReviewReason } from './processing.ts';
import type { Submission, SubmissionEvent } from './state.ts';
import { pendingTarget, type SyncTarget } from './sync.ts';

/** What processing ended in. `reviewReasons` are the processing's own; those of fraud are added here. */
export type Result =
  | Readonly<{
      kind: 'extracted';
      extraction: Extraction;
      confidence: number;
      certainty: number;
      reviewReasons: readonly ReviewReason[];
      /** The matches of the version's checks; null when it has none. */
      fraud: Readonly<{ matches: readonly FraudMatch[]; policy: FraudPolicy }> | null;
    }>
  | Readonly<{ kind: 'failed' | 'capture_quality_blocked'; reason: string }>;

export type RecordResult = Readonly<{
  type: 'RecordResult';
  round: number;
  attempt: number;
  result: Result;
}> &
  SyncTarget;
/**
 * The end of a round: approved, review, failed or capture_quality_blocked, with the reasons (lifecycle-15). For a
 * cancelled submission the result is dropped, and the drop recorded, once. Nothing when the round has its result. Throws
 * `ProcessingAttemptSuperseded` when another attempt has begun since.
 */
export const recordResult = (
  command: RecordResult,
  current: Submission | null,
): readonly SubmissionEvent[] => {
  const state = present(current);
  const { round, attempt, result } = command;
  if (state.status === 'cancelled') {
    if (state.droppedAttempt === attempt) return [];
    return [
      {
        type: 'SubmissionResultDropped',
        data: { ...state.routing, round, attempt, outcome: result.kind },
      },
    ];
  }
  if (state.status !== 'processing') return [];
  holdAttempt(command, state);
  switch (result.kind) {
    case 'extracted':
      return succeed(state, result, command);
    case 'failed':
    case 'capture_quality_blocked':
      return fail(state, result.kind, result.reason);
    default:
      return never(result);
  }
};

const succeed = (
  state: Submission,
  result: Extract<Result, { kind: 'extracted' }>,
  target: SyncTarget,
): readonly SubmissionEvent[] => {
  const { fraudStatus, fraudScore } = result.fraud
    ? assessFraud(result.fraud.matches.map(openMatch), result.fraud.policy)
    : ({ fraudStatus: 'clean', fraudScore: 0 } as const);
  const reviewReasons: readonly ReviewReason[] =
    fraudStatus === 'clean'
      ? result.reviewReasons
      : [...result.reviewReasons, { code: `fraud_${fraudStatus}`, field: null }];
  const change = move(state, reviewReasons.length > 0 ? 'review' : 'approved', 'SubmissionNotProcessing');
  const { round, attempt } = state;
  const { confidence, certainty, extraction } = result;
  const processed: SubmissionEvent = {
    type: 'SubmissionProcessed',
    data: {
      ...state.routing,
      ...change,
      round,
      attempt,
      confidence,
      certainty,
      fraudStatus,
      fraudScore,
      reviewReasons,
      ...(change.to === 'approved' ? pendingTarget(target, state) : {}),
      private: extraction,
    },
  };
  if (!result.fraud) return [processed];
  const { matches, policy } = result.fraud;
  const data = {
    ...state.routing,
    round,
    matches: matches.map(({ details: _, ...match }) => match),
    policy,
    fraudStatus,
    fraudScore,
    private: { details: Object.fromEntries(matches.map(({ id, details }) => [id, details])) },
  };
  return [{ type: 'SubmissionFraudChecked', data }, processed];
};
