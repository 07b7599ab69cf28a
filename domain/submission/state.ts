import { never, REDACTED } from '../kernel.ts';
import type {
  Correction,
  Private,
  ReviewReason,
  Routing,
  SessionCreated,
  Slot,
  SubmissionEvent,
  SubmittedFile,
} from './events.ts';
import { type FraudMatch, type FraudPolicy, type FraudStatus, type JudgedMatch, openMatch } from './fraud.ts';
import type { JobState, Status } from './transitions.ts';

/** A submission and its session. Text and objects whose key was destroyed read as `REDACTED`. */
export type Submission = Readonly<{
  routing: Routing;
  workflow: SessionCreated['data']['workflow'];
  status: Status;
  state: JobState;
  processed: boolean;
  expiresAt: string;
  slots: readonly Slot[];
  files: readonly SubmittedFile[];
  fileNames: Readonly<Record<string, string>>;
  webhookUrl: string | null;
  clientSubmissionId: string | null;
  metadata: Readonly<Record<string, unknown>> | string | null;
  batchRef: string | null;
  round: number;
  attempt: number;
  droppedAttempt: number;
  /** How many attempts of this round failed for a passing reason. */
  delays: number;
  /** When the next attempt of this round is due; null unless one was delayed. */
  retryAt: string | null;
  extractedData: Readonly<Record<string, unknown>> | string | null;
  fieldConfidences: Readonly<Record<string, number>> | string | null;
  confidence: number | null;
  certainty: number | null;
  aiSummary: string | null;
  result: Readonly<Record<string, unknown>> | string | null;
  reviewReasons: readonly ReviewReason[];
  corrections: readonly Correction[];
  failedReason: string | null;
  rejectReason: string | null;
  cancelReason: string | null;
  fraudStatus: FraudStatus | null;
  fraudScore: number | null;
  fraudPolicy: FraudPolicy | null;
  fraudMatches: readonly JudgedMatch[];
}>;

/** What an expired session's `cancelReason` says. */
export const EXPIRED_REASON = 'The session expired before it was submitted.';

/** The state after one more event; null before the first one. */
export const evolve = (state: Submission | null, event: SubmissionEvent): Submission | null => {
  if (event.type === 'SessionCreated') return created(event);
  if (state === null) throw new Error(`${event.type} without a SessionCreated before it`);
  switch (event.type) {
    case 'SessionSubmitted':
      return { ...state, state: 'queued', files: event.data.files };
    case 'SessionExpired':
      return { ...state, status: 'cancelled', state: 'expired', cancelReason: EXPIRED_REASON };
    case 'SubmissionProcessingStarted':
    case 'SubmissionProcessingDelayed':
    case 'SubmissionReprocessingRequested':
    case 'SubmissionFraudChecked':
    case 'SubmissionProcessed':
    case 'SubmissionProcessingFailed':
    case 'SubmissionResultDropped':
      return evolveProcessing(state, event);
    case 'SubmissionApproved':
    case 'SubmissionRejected':
    case 'SubmissionCancelled':
    case 'SubmissionFraudMatchResolved':
    case 'SubmissionSynced':
      return evolveReview(state, event);
    default:
      return never(event);
  }
};

type ProcessingEvent = Extract<
  SubmissionEvent,
  {
    type:
      | 'SubmissionProcessingStarted'
      | 'SubmissionProcessingDelayed'
      | 'SubmissionReprocessingRequested'
      | 'SubmissionFraudChecked'
      | 'SubmissionProcessed'
      | 'SubmissionProcessingFailed'
      | 'SubmissionResultDropped';
  }
>;
type ReviewEvent = Extract<
  SubmissionEvent,
  {
    type:
      | 'SubmissionApproved'
      | 'SubmissionRejected'
      | 'SubmissionCancelled'
      | 'SubmissionFraudMatchResolved'
      | 'SubmissionSynced';
  }
>;

const evolveProcessing = (state: Submission, event: ProcessingEvent): Submission => {
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
      return { ...state, delays: state.delays + 1, retryAt: event.data.retryAt };
    case 'SubmissionReprocessingRequested':
      return {
        ...state,
        status: 'processing',
        state: 'processing',
        round: event.data.round,
        attempt: 0,
        droppedAttempt: 0,
        delays: 0,
        retryAt: null,
        failedReason: null,
      };
    case 'SubmissionFraudChecked':
      return {
        ...state,
        fraudMatches: checkedMatches(event.data).map(openMatch),
        fraudPolicy: event.data.policy,
        fraudStatus: event.data.fraudStatus,
        fraudScore: event.data.fraudScore,
      };
    case 'SubmissionProcessed':
      return processed(state, event.data);
    case 'SubmissionProcessingFailed':
      return {
        ...state,
        status: event.data.to,
        state: 'failed',
        processed: true,
        failedReason: reveal(event.data.private, 'reason'),
      };
    case 'SubmissionResultDropped':
      return { ...state, droppedAttempt: event.data.attempt };
    default:
      return never(event);
  }
};

const evolveReview = (state: Submission, event: ReviewEvent): Submission => {
  switch (event.type) {
    case 'SubmissionApproved':
      return { ...state, status: 'approved', ...corrected(state, event.data.private) };
    case 'SubmissionRejected':
      return { ...state, status: 'rejected', rejectReason: reveal(event.data.private, 'reason') };
    case 'SubmissionCancelled':
      return {
        ...state,
        status: 'cancelled',
        state: endedProcessing(state) ? state.state : 'cancelled',
        cancelReason: reveal(event.data.private, 'reason'),
      };
    case 'SubmissionFraudMatchResolved':
      return {
        ...state,
        fraudStatus: event.data.fraudStatus,
        fraudScore: event.data.fraudScore,
        fraudMatches: state.fraudMatches.map((match) =>
          match.id === event.data.matchId
            ? {
                ...match,
                resolution: event.data.resolution,
                resolvedAt: event.data.resolvedAt,
                resolvedBy: reveal(event.data.private, 'resolvedBy'),
              }
            : match,
        ),
      };
    case 'SubmissionSynced':
      return { ...state, status: 'synced' };
    default:
      return never(event);
  }
};

/** A job whose processing ended stays `completed` or `failed`, also when its submission is cancelled later. */
const endedProcessing = (state: Submission): boolean =>
  state.state === 'completed' || state.state === 'failed';

/** A member of a private part, or `REDACTED` once its key is gone. */
export const reveal = <P extends object, K extends keyof P>(
  part: Private<P>,
  name: K,
): P[K] | typeof REDACTED => ('redacted' in part ? REDACTED : (part as P)[name]);

const created = ({ data }: SessionCreated): Submission => ({
  routing: {
    submissionId: data.submissionId,
    companyId: data.companyId,
    mode: data.mode,
    keyId: data.keyId,
    workflow: { slug: data.workflow.slug, version: data.workflow.version },
    batchId: data.batchId,
  },
  workflow: data.workflow,
  status: 'created',
  state: 'pending',
  processed: false,
  expiresAt: data.expiresAt,
  slots: data.slots,
  files: [],
  fileNames: 'redacted' in data.private ? {} : data.private.fileNames,
  webhookUrl: data.notifies ? reveal(data.private, 'webhookUrl') : null,
  clientSubmissionId: reveal(data.private, 'clientSubmissionId'),
  metadata: reveal(data.private, 'metadata'),
  batchRef: reveal(data.private, 'batchRef'),
  round: 1,
  attempt: 0,
  droppedAttempt: 0,
  delays: 0,
  retryAt: null,
  extractedData: null,
  fieldConfidences: null,
  confidence: null,
  certainty: null,
  aiSummary: null,
  result: null,
  reviewReasons: [],
  corrections: [],
  failedReason: null,
  rejectReason: null,
  cancelReason: null,
  fraudStatus: null,
  fraudScore: null,
  fraudPolicy: null,
  fraudMatches: [],
});

/** The matches with what they compared; that is empty once the key is gone. */
const checkedMatches = ({
  matches,
  private: part,
}: Extract<SubmissionEvent, { type: 'SubmissionFraudChecked' }>['data']): readonly FraudMatch[] => {
  const details = 'redacted' in part ? {} : part.details;
  return matches.map((match) => ({ ...match, details: details[match.id] ?? {} }));
};

const processed = (
  state: Submission,
  data: Extract<SubmissionEvent, { type: 'SubmissionProcessed' }>['data'],
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
});

const corrected = (
  state: Submission,
  part: Extract<SubmissionEvent, { type: 'SubmissionApproved' }>['data']['private'],
): Pick<Submission, 'corrections' | 'extractedData'> => {
  if ('redacted' in part || typeof state.extractedData === 'string')
    return { corrections: [], extractedData: state.extractedData };
  const values = Object.fromEntries(part.corrections.map(({ field, humanValue }) => [field, humanValue]));
  return { corrections: part.corrections, extractedData: { ...state.extractedData, ...values } };
};
