import { DomainError, never } from '../../kernel/decider.ts';
import { type EventOf, reveal } from '../../kernel/event.ts';
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
  Type,
  text,
  time,
} from '../../kernel/schema.ts';
import type { WorkflowVersion } from '../workflow.ts';
import { forgotten, forgottenFingerprints } from './fingerprints.ts';
import { FraudScore, FraudStatus } from './fraud.ts';
import { holdAttempt, move, present } from './guard.ts';
import { attempt, change, routing } from './routing.ts';
import type { Submission } from './state.ts';
import { pendingSync, syncTarget } from './sync.ts';

/** The origin of the http extractor that reads a submission's files. */
export const readBy = {
  readBy: Type.Optional(
    text(
      'the origin of the http extractor that reads its files; absent where they are read here, or by nobody',
    ),
  ),
};
export type ReadBy = OfMembers<typeof readBy>;

/** Who reads the files of a version's submissions. */
export const readByOf = ({ processing: { extractor } }: Pick<WorkflowVersion, 'processing'>): ReadBy =>
  typeof extractor === 'object' ? { readBy: new URL(extractor.http.url).origin } : {};

const ReviewReason = closed({
  code: oneOf([
    'low_confidence',
    'missing_required',
    'invalid_field',
    'fraud_flagged',
    'fraud_blocked',
    'always_review',
  ]),
  field: nullable(text('null where it is about none')),
});
export type ReviewReason = Of<typeof ReviewReason>;

const extraction = {
  extractedData: anyObject('the fields of the workflow'),
  fieldConfidences: record(Type.Number(), 'by field, from 0 to 1'),
  aiSummary: text('one sentence for a reader'),
  result: anyObject('what was read of each field, and where'),
};
/** What processing found in the files of a submission. */
export type Extraction = OfMembers<typeof extraction>;

const reason = text('for people');

export const processingEvents = {
  SubmissionProcessingStarted: {
    about: 'A worker claimed it.',
    data: closed({ ...routing, ...change, ...attempt }),
  },
  SubmissionProcessingDelayed: {
    about: 'The attempt failed for a passing reason.',
    data: closed({
      ...routing,
      ...attempt,
      retryAt: time('when the next attempt is due'),
      waitsFor: Type.Optional(
        meaning(
          Type.Literal('extractor'),
          'an http extractor gave no result; absent where it was a part of the service',
        ),
      ),
      private: privatePart({ reason }),
    }),
  },
  SubmissionProcessed: {
    about: 'Its data were read: it is approved, or needs a review.',
    data: closed({
      ...routing,
      ...change,
      ...attempt,
      confidence: share('how likely the weakest required value is right'),
      certainty: share('how much of the files was understood'),
      fraudStatus: FraudStatus,
      fraudScore: FraudScore,
      reviewReasons: meaning(Type.Array(ReviewReason), 'why it needs a review; empty when it needs none'),
      ...syncTarget,
      private: privatePart(extraction),
    }),
  },
  SubmissionProcessingFailed: {
    about: 'Its files can’t be processed, or a better picture is needed.',
    data: closed({
      ...routing,
      ...change,
      ...forgottenFingerprints,
      ...attempt,
      private: privatePart({ reason }),
    }),
  },
  SubmissionResultDropped: {
    about: 'An attempt ended after the submission had been cancelled.',
    data: closed({ ...routing, ...attempt, outcome: text('what it would have ended in') }),
  },
  SubmissionReprocessingRequested: {
    about: 'An operator requested a new round.',
    data: closed({ ...routing, ...change, round: attempt.round, ...readBy }),
  },
} as const satisfies EventDefinitions;

export type ProcessingEvent = EventsOf<typeof processingEvents>;

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
export type Reprocess = Readonly<{ type: 'Reprocess' }>;

/** The state after one more event of processing . */
export const evolveProcessing = (state: Submission, event: ProcessingEvent): Submission => {
  switch (event.type) {
    case 'SubmissionProcessingStarted':
      return {
        ...state,
        status: 'processing',
        state: 'processing',
        round: event.data.round,
        attempt: event.data.attempt,
        retryAt: null,
      };
    case 'SubmissionProcessingDelayed':
      return {
        ...state,
        retryAt: event.data.retryAt,
        ...(event.data.waitsFor ? { waits: state.waits + 1 } : { delays: state.delays + 1 }),
      };
    case 'SubmissionReprocessingRequested':
      return {
        ...state,
        status: 'processing',
        state: 'processing',
        round: event.data.round,
        attempt: 0,
        droppedAttempt: 0,
        delays: 0,
        waits: 0,
        retryAt: null,
        failedReason: null,
      };
    case 'SubmissionProcessed':
      return processed(state, event.data);
    case 'SubmissionProcessingFailed':
      return {
        ...state,
        status: event.data.to,
        state: 'failed',
        processed: true,
        fingerprints: [],
        failedReason: reveal(event.data.private, 'reason'),
      };
    case 'SubmissionResultDropped':
      return { ...state, droppedAttempt: event.data.attempt };
    default:
      return never(event);
  }
};

const processed = (
  state: Submission,
  data: EventOf<ProcessingEvent, 'SubmissionProcessed'>['data'],
): Submission => ({
  ...state,
  status: data.to,
  state: 'completed',
  processed: true,
  confidence: data.confidence,
  certainty: data.certainty,
  fraudStatus: data.fraudStatus,
  fraudScore: data.fraudScore,
  reviewReasons: data.reviewReasons,
  extractedData: reveal(data.private, 'extractedData'),
  fieldConfidences: reveal(data.private, 'fieldConfidences'),
  aiSummary: reveal(data.private, 'aiSummary'),
  result: reveal(data.private, 'result'),
  sync: pendingSync(data),
});

/**
 * An attempt's start. Throws `SubmissionNotProcessable` when nothing is to be processed, or not yet: the queue is a read model,
 * and one that is behind must not use up the attempts before their time.
 */
export const startProcessing = (
  command: StartProcessing,
  current: Submission | null,
): readonly ProcessingEvent[] => {
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
): readonly ProcessingEvent[] => {
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

/** A new round for a submission that failed or was blocked (operators only). Throws `SubmissionNotReprocessable`. */
export const reprocess = (_command: Reprocess, current: Submission | null): readonly ProcessingEvent[] => {
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

/** The end of a round without a result. Throws `SubmissionNotProcessing`. */
export const fail = (
  state: Submission,
  to: 'failed' | 'capture_quality_blocked',
  reason: string,
): readonly ProcessingEvent[] => {
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
