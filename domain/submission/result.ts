import type { Folds } from '../../kernel/byType.ts';
import { reveal } from '../../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../../kernel/eventDefinition.ts';
import {
  anyObject,
  closed,
  meaning,
  nullable,
  type Of,
  type OfMembers,
  oneOf,
  privatePart,
  record,
  share,
  type TSchema,
  Type,
  text,
} from '../../kernel/schema.ts';
import { forgotten, forgottenFingerprints } from './fingerprints.ts';
import { type FraudMatch, type FraudPolicy, FraudScore, FraudStatus } from './fraud.ts';
import { fraudChecked } from './fraudMatches.ts';
import { move, requireCurrent } from './guard.ts';
import { type ExtractedData, PagePlace, type ProcessingResult } from './processingResult.ts';
import { type AttemptReference, attempt, routing, transition } from './routing.ts';
import type { Submission, SubmissionEvent } from './state.ts';
import { pendingSync, pendingTarget, type SyncTarget, syncTarget } from './sync.ts';

/** Why a submission may wait for a reviewer (review-9). */
export const reviewReasonCodes = [
  'low_confidence',
  'missing_required',
  'invalid_field',
  'unread_page',
  'undrawn_page',
  'fraud_flagged',
  'fraud_blocked',
  'always_review',
] as const;

/** Version 1 of SubmissionProcessed has all other codes. */
const pageCodes: readonly string[] = ['unread_page', 'undrawn_page'];
const earlierCodes = reviewReasonCodes.filter((code) => !pageCodes.includes(code));

const aboutField = { field: nullable(text('null where it is about none')) };
const ReviewReason = closed({
  code: oneOf(reviewReasonCodes),
  ...aboutField,
  place: Type.Optional(meaning(PagePlace, 'the page, where it is about one')),
});
export type ReviewReason = Of<typeof ReviewReason>;

/** All of a submission, as its events have them. */
export const reviewReasons = Type.Array(ReviewReason);

const extraction = {
  extractedData: Type.Unsafe<ExtractedData>(anyObject('the fields of the workflow')),
  fieldConfidences: record(Type.Number(), 'by field, from 0 to 1'),
  aiSummary: text('one sentence for a reader'),
  result: Type.Unsafe<ProcessingResult>(anyObject('what was read of each field, and where')),
};
/** What processing found in the files of a submission. */
export type Extraction = OfMembers<typeof extraction>;

const processed = <S extends TSchema>(reason: S) =>
  closed({
    ...transition,
    ...attempt,
    confidence: share('how likely the weakest required value is right'),
    certainty: share('how much of the files was understood'),
    fraudStatus: FraudStatus,
    fraudScore: FraudScore,
    reviewReasons: meaning(Type.Array(reason), 'why it needs a review; empty when it needs none'),
    ...syncTarget,
    private: privatePart(extraction),
  });

/** The events that end a round of processing. */
export const resultEvents = {
  SubmissionProcessed: {
    about: 'Its data were read: it is approved, or needs a review.',
    data: processed(ReviewReason),
    earlier: [{ data: processed(closed({ code: oneOf(earlierCodes), ...aboutField })) }],
  },
  SubmissionProcessingFailed: {
    about: 'Its files can’t be processed, or a better picture is needed.',
    data: closed({
      ...transition,
      ...forgottenFingerprints,
      ...attempt,
      private: privatePart({ reason: text('for people') }),
    }),
  },
  SubmissionResultDropped: {
    about: 'An attempt ended after the submission had been cancelled.',
    data: closed({ ...routing, ...attempt, outcome: text('what it would have ended in') }),
  },
} as const satisfies EventDefinitions;

export type ResultEvent = EventsOf<typeof resultEvents>;

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

type RecordResult = AttemptReference & Readonly<{ result: Result }> & SyncTarget;

/** A submission's part of the last round's result. */
export type ResultState = Readonly<{
  droppedAttempt: number;
  confidence: number | null;
  certainty: number | null;
  reviewReasons: readonly ReviewReason[];
  failedReason: string | null;
}> & { readonly [Member in keyof Extraction]: Extraction[Member] | string | null };

/** Before the first result. */
export const noResult: ResultState = {
  droppedAttempt: 0,
  extractedData: null,
  fieldConfidences: null,
  confidence: null,
  certainty: null,
  aiSummary: null,
  result: null,
  reviewReasons: [],
  failedReason: null,
};

/** The folds of the end of a round. */
export const resultFolds: Folds<Submission, ResultEvent> = {
  SubmissionProcessed: (state, data) => {
    const { to: status, private: part, confidence, certainty, fraudStatus, fraudScore, reviewReasons } = data;
    return {
      ...state,
      ...{ status, state: 'completed', processed: true, confidence, certainty, fraudStatus, fraudScore },
      reviewReasons,
      extractedData: reveal(part, 'extractedData'),
      fieldConfidences: reveal(part, 'fieldConfidences'),
      aiSummary: reveal(part, 'aiSummary'),
      result: reveal(part, 'result'),
      sync: pendingSync(data),
    };
  },
  SubmissionProcessingFailed: (state, { to: status, private: part }) => {
    const failedReason = reveal(part, 'reason');
    return { ...state, status, state: 'failed', processed: true, fingerprints: [], failedReason };
  },
  SubmissionResultDropped: (state, { attempt }) => ({ ...state, droppedAttempt: attempt }),
};

/**
 * The end of a round: approved, review, failed or capture_quality_blocked, with the reasons (lifecycle-15).
 * For a cancelled submission the result is dropped, and the drop recorded, once. Nothing when the round has
 * its result. Throws `ProcessingAttemptSuperseded` when another attempt has started since.
 */
export const recordResult = (command: RecordResult, state: Submission): readonly SubmissionEvent[] => {
  const { round, attempt, result } = command;
  if (state.status === 'cancelled') {
    if (state.droppedAttempt === attempt) return [];
    const data = { ...state.routing, round, attempt, outcome: result.kind };
    return [{ type: 'SubmissionResultDropped', data }];
  }
  if (state.status !== 'processing') return [];
  requireCurrent(command, state);
  return result.kind === 'extracted'
    ? succeed(state, result, command)
    : fail(state, result.kind, result.reason);
};

const succeed = (
  state: Submission,
  { extraction, confidence, certainty, fraud, ...result }: Extract<Result, { kind: 'extracted' }>,
  target: SyncTarget,
): readonly SubmissionEvent[] => {
  const checked = fraud && fraudChecked(state, fraud.matches, fraud.policy);
  const { fraudStatus, fraudScore } = checked?.data ?? ({ fraudStatus: 'clean', fraudScore: 0 } as const);
  const reviewReasons: readonly ReviewReason[] =
    fraudStatus === 'clean'
      ? result.reviewReasons
      : [...result.reviewReasons, { code: `fraud_${fraudStatus}`, field: null }];
  const change = move(state, reviewReasons.length > 0 ? 'review' : 'approved', 'SubmissionNotProcessing');
  const { routing, round, attempt } = state;
  const syncTo = change.to === 'approved' ? pendingTarget(target, state) : {};
  const assessed = { confidence, certainty, fraudStatus, fraudScore, reviewReasons };
  const data = { ...routing, ...change, round, attempt, ...assessed, ...syncTo, private: extraction };
  return [...(checked ? [checked] : []), { type: 'SubmissionProcessed', data }];
};

/** The end of a round without a result. Throws `SubmissionNotProcessing`. */
export const fail = (
  state: Submission,
  to: 'failed' | 'capture_quality_blocked',
  reason: string,
): readonly ResultEvent[] => {
  const change = move(state, to, 'SubmissionNotProcessing');
  const { routing, round, attempt } = state;
  const data = { ...routing, ...change, ...forgotten(state), round, attempt, private: { reason } };
  return [{ type: 'SubmissionProcessingFailed', data }];
};

/** The decision on a round's result. */
export const resultDecisions = { RecordResult: recordResult };
