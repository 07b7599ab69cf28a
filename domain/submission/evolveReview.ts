import { never } from '../../kernel/decider.ts';
import type { ReviewEvent, SubmissionApproved } from './events.ts';
import { reveal } from './private.ts';
import type { Submission } from './state.ts';
import { owed } from './sync.ts';

/** The state after one more event of a review. */
export const evolveReview = (state: Submission, event: ReviewEvent): Submission => {
  switch (event.type) {
    case 'SubmissionApproved':
      return {
        ...state,
        status: 'approved',
        sync: owed(event.data),
        ...corrected(state, event.data.private),
      };
    case 'SubmissionRejected':
      return { ...state, status: 'rejected', rejectReason: reveal(event.data.private, 'reason') };
    case 'SubmissionCancelled':
      return {
        ...state,
        status: 'cancelled',
        state: endedProcessing(state) ? state.state : 'cancelled',
        fingerprints: [],
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
    default:
      return never(event);
  }
};

/** A job whose processing ended stays `completed` or `failed`, also when its submission is cancelled later. */
const endedProcessing = (state: Submission): boolean =>
  state.state === 'completed' || state.state === 'failed';

const corrected = (
  state: Submission,
  part: SubmissionApproved['data']['private'],
): Pick<Submission, 'corrections' | 'extractedData'> => {
  if ('redacted' in part || typeof state.extractedData === 'string')
    return { corrections: [], extractedData: state.extractedData };
  const values = Object.fromEntries(part.corrections.map(({ field, humanValue }) => [field, humanValue]));
  return { corrections: part.corrections, extractedData: { ...state.extractedData, ...values } };
};
