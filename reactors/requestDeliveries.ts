import type { Recorded } from '../domain/kernel.ts';
import type { SubmissionEvent } from '../domain/submission/events.ts';
import type { Reactor } from './reactor.ts';

/** Each event that causes a webhook gets its delivery. From the origin: a delivery's stream must be new, so none is doubled. */
export const requestDeliveries = (
  requestDelivery: (event: Recorded<SubmissionEvent>) => Promise<void>,
): Reactor<SubmissionEvent> => ({
  name: 'requestDeliveries',
  startFrom: 'origin',
  prefixes: ['submission-'],
  handles: [
    'SubmissionProcessed',
    'SubmissionProcessingFailed',
    'SubmissionApproved',
    'SubmissionRejected',
    'SubmissionCancelled',
    'SessionExpired',
    'SubmissionFraudMatchResolved',
  ],
  react: requestDelivery,
});
