import { DomainError, never } from '../../kernel/decider.ts';
import type {
  Extraction,
  ReviewReason,
  SubmissionEvent,
  SubmissionProcessingDelayed,
  SubmissionReprocessingRequested,
} from './events.ts';
import { forgotten } from './fingerprints.ts';
import { assessFraud, type FraudMatch, type FraudPolicy, openMatch } from './fraud.ts';
import { holdAttempt, move, present } from './guard.ts';
import type { Submission } from './state.ts';
import { owing, type SyncTarget } from './sync.ts';

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

/** Takes the next attempt, or gives up when `maxAttempts` have come to nothing. `at`: the time now, in ISO 8601. */
export type StartProcessing = Readonly<{ type: 'StartProcessing'; maxAttempts: number; at: string }>;
export type DelayProcessing = Readonly<{
  type: 'DelayProcessing';
  round: number;
  attempt: number;
  reason: string;
  retryAt: string;
  waitsFor?: 'extractor';
}>;
export type RecordResult = Readonly<{
  type: 'RecordResult';
  round: number;
  attempt: number;
  result: Result;
}> &
  SyncTarget;
export type Reprocess = Readonly<{ type: 'Reprocess' }>;

/**
 * An attempt's start. Throws `SubmissionNotProcessable` when nothing is to be processed, or not yet: the queue is a read model,
 * and one that is behind must not use up the attempts before their time.
 */
export const startProcessing = (
  command: StartProcessing,
  current: Submission | null,
): readonly SubmissionEvent[] => {
  const state = present(current);
  if (state.state !== 'queued' && state.state !== 'processing') {
    throw new DomainError(
      'SubmissionNotProcessable',
      `A job that is ${state.state} has nothing to process.`,
      {
        currentStatus: state.status,
        allowedFrom: ['created', 'processing'],
      },
    );
  }
  if (state.retryAt !== null && command.at < state.retryAt) {
    throw new DomainError('SubmissionNotProcessable', `The next attempt is due at ${state.retryAt}.`);
  }
  if (state.attempt >= command.maxAttempts) {
    return fail(state, 'failed', `Processing was tried ${state.attempt} times and never came to an end.`);
  }
  return [
    {
      type: 'SubmissionProcessingStarted',
      data: {
        ...state.routing,
        from: state.status,
        to: 'processing',
        firstProcessed: false,
        processed: state.processed,
        round: state.round,
        attempt: state.attempt + 1,
      },
    },
  ];
};

/** Notes that an attempt failed for a passing reason. Throws `ProcessingAttemptSuperseded`. */
export const delayProcessing = (
  command: DelayProcessing,
  current: Submission | null,
): readonly SubmissionProcessingDelayed[] => {
  const state = present(current);
  if (state.status !== 'processing') return [];
  holdAttempt(command, state);
  const { round, attempt, retryAt, reason, waitsFor } = command;
  return [
    {
      type: 'SubmissionProcessingDelayed',
      data: {
        ...state.routing,
        round,
        attempt,
        retryAt,
        ...(waitsFor ? { waitsFor } : {}),
        private: { reason },
      },
    },
  ];
};

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

/** A new round for a submission that failed or was blocked (operators only). Throws `SubmissionNotReprocessable`. */
export const reprocess = (
  _command: Reprocess,
  current: Submission | null,
): readonly SubmissionReprocessingRequested[] => {
  const state = present(current);
  const change = move(state, 'processing', 'SubmissionNotReprocessable', [
    'failed',
    'capture_quality_blocked',
  ]);
  return [
    {
      type: 'SubmissionReprocessingRequested',
      data: {
        ...state.routing,
        ...change,
        round: state.round + 1,
        ...(state.readBy === null ? {} : { readBy: state.readBy }),
      },
    },
  ];
};

const fail = (
  state: Submission,
  to: 'failed' | 'capture_quality_blocked',
  reason: string,
): readonly SubmissionEvent[] => {
  const change = move(state, to, 'SubmissionNotProcessing');
  return [
    {
      type: 'SubmissionProcessingFailed',
      data: {
        ...state.routing,
        ...change,
        ...forgotten(state),
        round: state.round,
        attempt: state.attempt,
        private: { reason },
      },
    },
  ];
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
      ...(change.to === 'approved' ? owing(target, state) : {}),
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
