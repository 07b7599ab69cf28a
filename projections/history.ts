import type { SubmissionEvent } from '../domain/submission/events.ts';
import { reveal } from '../domain/submission/private.ts';
import { never } from '../kernel/decider.ts';
import type { Recorded } from '../kernel/event.ts';

/** An entry of a submission's event history (history-3). */
export type HistoryItem = Readonly<{
  type: string;
  occurredAt: string;
  details: Readonly<Record<string, unknown>> | null;
}>;

/** What a reader of the history may see of an event: no addresses, no keys, and no data that the detail itself shows. */
export const historyDetails = (event: Recorded<SubmissionEvent>): HistoryItem['details'] => {
  switch (event.type) {
    case 'SessionCreated':
      return { expiresAt: event.data.expiresAt };
    case 'SessionSubmitted':
      return { files: event.data.files.map(({ etag: _, ...file }) => file) };
    case 'SubmissionProcessingStarted':
      return { round: event.data.round, attempt: event.data.attempt };
    case 'SubmissionProcessingDelayed': {
      const { round, attempt, retryAt } = event.data;
      return { round, attempt, retryAt, reason: reveal(event.data.private, 'reason') };
    }
    case 'SubmissionFingerprinted': {
      const { round, fingerprints } = event.data;
      return { round, checks: [...new Set(fingerprints.map(({ checkType }) => checkType))] };
    }
    case 'SubmissionFraudChecked': {
      const { fraudStatus, fraudScore, matches } = event.data;
      return { fraudStatus, fraudScore, matches: matches.length };
    }
    case 'SubmissionProcessed': {
      const { to, round, confidence, certainty, fraudStatus, fraudScore, reviewReasons } = event.data;
      return { submissionStatus: to, round, confidence, certainty, fraudStatus, fraudScore, reviewReasons };
    }
    case 'SubmissionProcessingFailed':
      return {
        submissionStatus: event.data.to,
        round: event.data.round,
        reason: reveal(event.data.private, 'reason'),
      };
    case 'SubmissionResultDropped':
      return { round: event.data.round, attempt: event.data.attempt, outcome: event.data.outcome };
    case 'SubmissionReprocessingRequested':
      return { round: event.data.round };
    case 'SubmissionApproved':
      return {
        comment: reveal(event.data.private, 'comment'),
        actor: reveal(event.data.private, 'actor'),
        corrections: reveal(event.data.private, 'corrections'),
      };
    case 'SubmissionRejected':
    case 'SubmissionCancelled':
      return { reason: reveal(event.data.private, 'reason'), actor: reveal(event.data.private, 'actor') };
    case 'SubmissionFraudMatchResolved': {
      const { matchId, resolution, previousResolution = null, fraudStatus, fraudScore } = event.data;
      return {
        matchId,
        resolution,
        previousResolution,
        fraudStatus,
        fraudScore,
        resolvedBy: reveal(event.data.private, 'resolvedBy'),
        comment: reveal(event.data.private, 'comment'),
      };
    }
    case 'SubmissionSyncFailed': {
      const { attempt, statusCode, error, nextAttemptAt } = event.data;
      return { attempt, statusCode, error, nextAttemptAt };
    }
    case 'SubmissionSyncRequested':
      return { attempts: event.data.attempts };
    case 'SessionExpired':
    case 'SubmissionSynced':
      return null;
    default:
      return never(event);
  }
};
