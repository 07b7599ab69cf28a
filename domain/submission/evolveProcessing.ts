import { never } from '../../kernel/decider.ts';
import type { ProcessingEvent, SubmissionFraudChecked, SubmissionProcessed } from './events.ts';
import { type FraudMatch, openMatch } from './fraud.ts';
import { reveal } from './private.ts';
import type { Submission } from './state.ts';
import { owed } from './sync.ts';

/** The state after one more event of processing and its fraud checks. */
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
    case 'SubmissionFingerprinted':
      return { ...state, fingerprints: event.data.fingerprints };
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
        fingerprints: [],
        failedReason: reveal(event.data.private, 'reason'),
      };
    case 'SubmissionResultDropped':
      return { ...state, droppedAttempt: event.data.attempt };
    default:
      return never(event);
  }
};

/** The matches with what they compared; that is empty once the key is gone. */
const checkedMatches = (data: SubmissionFraudChecked['data']): readonly FraudMatch[] => {
  const { matches } = data;
  if (matches.length === 0) return []; // and what is private need not be opened
  const details = 'redacted' in data.private ? {} : data.private.details;
  return matches.map((match) => ({ ...match, details: details[match.id] ?? {} }));
};

const processed = (state: Submission, data: SubmissionProcessed['data']): Submission => ({
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
  sync: owed(data),
});
